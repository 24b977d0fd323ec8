resource "terraform_data" "b" {
}
moved {
  from = terraform_data.x
  to = terraform_data.b
}
variable "v" {
  default = 1
}

output "o" {
  value = [1][var.v]
}
