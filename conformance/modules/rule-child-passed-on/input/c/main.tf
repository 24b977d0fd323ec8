variable "v" {}
module "d" {
  source = "./d"
  w      = var.v
}
