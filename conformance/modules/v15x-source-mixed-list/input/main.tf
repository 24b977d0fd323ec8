variable "v" {
  default = "q"
}
module "m" {
  source = "./${["a", var.v][0]}"
}
output "x" {
  value = module.m.x
}
