terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = terraform_data.a.input[3]
  }
}
resource "terraform_data" "a" {
  input = ["n"]
}
