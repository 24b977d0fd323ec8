variable "s" { 
  default = null
}
module "c" {
  source = var.s
}
