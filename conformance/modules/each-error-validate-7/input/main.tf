locals {
  l = "x"
}
data "terraform_remote_state" "a" {
  for_each = toset(local.l ? ["a"] : ["b"])
  backend  = "local"
}
