data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = "x" }
  defaults = { a = 1 }
}
locals {
  d = data.terraform_remote_state.s
}
output "x" {
  value = local.d.nope
}
