variable "i" { default = 0 }
locals { x = module.c[var.i].o }
module "c" {
  source = "./c"
  count  = 1
  p      = local.x
}
