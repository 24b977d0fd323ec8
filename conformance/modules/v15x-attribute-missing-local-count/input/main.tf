resource "terraform_data" "r" {
  count = 1
}
locals {
  a = terraform_data.r
}
output "x" {
  value = local.a[0].nope
}
