resource "terraform_data" "here" { for_each = toset(["a"]) }
locals {
  a = terraform_data.here["a"].colour
}
