locals {
  t = { a = "x" }
}
module "m" {
  source = "./${local.t["q"]}"
}
