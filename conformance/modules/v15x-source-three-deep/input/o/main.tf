variable "k" {
  const = true
}
locals {
  kk = upper(var.k)
}
module "i" {
  source = "../i"
  k = lower(local.kk)
}
output "x" {
  value = module.i.x
}
