variable "v" {
  default = "q"
}
module "o" {
  source = "./o"
  k = var.v
}
