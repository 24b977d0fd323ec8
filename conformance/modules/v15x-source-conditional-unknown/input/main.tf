variable "v" {
  default = true
}
module "m" {
  source = var.v ? "./a" : "./a"
}
