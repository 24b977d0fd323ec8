locals { x = module.c[*].o }
module "c" {
  source = "./c"
  count  = 1
  p      = local.x
}
