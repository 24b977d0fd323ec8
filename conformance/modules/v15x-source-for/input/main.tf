locals {
  d = [for x in ["a", "b"] : "./${x}"]
}
module "m" {
  source = local.d[1]
}
output "x" {
  value = module.m.x
}
