module "a" {
  source = "./a"
}
locals {
  o = { k = module.a.old, n = 1 }
}
output "n" {
  value = local.o.n
}
output "k" {
  value = local.o.k
}
output "all" {
  value = local.o
}
