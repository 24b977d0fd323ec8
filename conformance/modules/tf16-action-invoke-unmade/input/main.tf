terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = terraform_data.a.input
  }
}
resource "terraform_data" "a" {
  input = "n"
}
output "o" {
  value = 1
}
