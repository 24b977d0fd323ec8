variable "l" { type = list(number) }
variable "s" { type = string }
output "o" { value = var.l }
