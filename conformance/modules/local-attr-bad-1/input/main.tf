resource "terraform_data" "a" {
  input = { x = 1 }
}
locals {
  r = { w = terraform_data.a }
}
output "o" {
  value = local.r.w.nope
}
