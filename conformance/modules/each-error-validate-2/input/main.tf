locals {
  l = "x"
}
resource "terraform_data" "a" {
  count = local.l ? 1 : 2
}
