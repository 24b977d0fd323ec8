variable "a" {}
variable "b" {}
output "o" { value = "${var.a}${var.b}" }
