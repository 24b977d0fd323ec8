resource "terraform_data" "here" {}
locals {
  a = try(terraform_data.here.colour, 1)
}
