locals {
  l = "x"
}
resource "terraform_data" "a" {
  for_each = local.l ? { a = 1 } : {}
}
