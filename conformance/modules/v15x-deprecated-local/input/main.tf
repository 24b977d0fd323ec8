module "a" {
  source = "./a"
}
locals {
  one = module.a.old
  two = "${local.one}!"
}
output "x" {
  value = local.two
}
