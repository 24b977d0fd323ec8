variable "k" {
  type = string
  const = true
}
module "m" {
  source = "../${var.k}"
}
output "x" {
  value = module.m.x
}
