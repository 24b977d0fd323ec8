terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = caller.id
  }
}
