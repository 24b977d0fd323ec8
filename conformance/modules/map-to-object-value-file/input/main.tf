variable "a" {
  type = map(object({ more = optional(map(string)) }))
  default = {}
}
variable "b" {
  type    = object({ name = string, more = optional(map(string)) })
  default = { name = "b" }
}
variable "c" {
  type = object({ name = string, more = optional(map(string)) })
}
output "o" {
  value = [var.b, var.c]
}
