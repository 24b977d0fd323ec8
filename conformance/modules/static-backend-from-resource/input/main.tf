terraform {
  backend "local" {
    path = local.path
  }
}
locals {
  path = "${terraform_data.x.id}.tfstate"
}
resource "terraform_data" "x" {}
