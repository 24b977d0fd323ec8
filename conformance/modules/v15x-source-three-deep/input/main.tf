variable "k" {
  const = true
  default = "b"
}
module "o" {
  source = "./o"
  k = var.k
}
output "x" {
  value = module.o.x
}
