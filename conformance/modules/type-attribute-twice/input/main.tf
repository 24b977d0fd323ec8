variable "x" {
  type = object({
    a = string
    b = number
    a = string
    a = bool
  })
}
variable "y" {
  type = object({ "a" = string, a = string, (a) = number, c = optional(object({ z = bool, z = bool })) })
}
output "o" { value = 1 }
