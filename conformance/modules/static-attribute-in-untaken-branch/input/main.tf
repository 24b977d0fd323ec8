resource "terraform_data" "here" {}
locals {
  a = true ? 1 : terraform_data.here.colour
}
