locals {
  l = "x"
}
module "c" {
  source   = "./c"
  for_each = toset(local.l ? ["a"] : ["b"])
}
