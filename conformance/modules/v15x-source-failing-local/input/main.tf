locals {
  t = tonumber("x")
}
module "m" {
  source = "./${local.t}"
}
