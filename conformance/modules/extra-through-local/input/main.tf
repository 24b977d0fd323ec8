locals {
  o = { a = "x", b = 1 }
}
module "c" {
  source = "./c"
  o      = local.o
  p      = merge(local.o, { z = 1 })
}
