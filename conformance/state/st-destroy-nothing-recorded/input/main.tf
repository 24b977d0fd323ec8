variable "v" {
  default = 1
}

resource "terraform_data" "a" {
  input = [1][var.v]
}

output "o" {
  value = var.v
}
