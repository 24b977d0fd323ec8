variable "k" {
  const = true
  default = "a"
}
module "m" {
  source = "${path.module}/${var.k}"
}
output "x" {
  value = module.m.x
}
