locals {
  d = timestamp() == "" ? "a" : "a"
}
module "m" {
  source = "./${local.d}"
}
