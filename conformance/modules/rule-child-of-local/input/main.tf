locals {
  v = "b"
}
module "c" {
  source = "./c"
  v      = local.v
}
