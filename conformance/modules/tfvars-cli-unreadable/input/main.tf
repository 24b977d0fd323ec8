variable "l" { type = list(number) }
variable "m" {
  type = list(number)
  default = []
}
variable "n" {
  type = list(number)
  nullable = false
  validation {
    condition = length(var.n) > 0
    error_message = "No."
  }
}
output "o" { value = var.l }
