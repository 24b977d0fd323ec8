locals { x = module.c[0].o }
module "c" {
  source = "./c"
  count  = 1
  p      = local.x
}
output "x" { value = local.x }
