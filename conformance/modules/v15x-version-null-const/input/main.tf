variable "v" {
  const = true
  type = string
  default = null
}
module "m" {
  source = "./a"
  version = var.v
}
output "x" {
  value = module.m.x
}
