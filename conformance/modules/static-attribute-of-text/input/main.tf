resource "terraform_data" "here" { }
locals {
  a = terraform_data.here.id.x
}
