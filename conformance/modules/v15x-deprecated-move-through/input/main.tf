module "a" {
  source = "./a"
}
module "c" {
  source = "./c"
  in = module.a.old
}
output "x" {
  value = module.c.out
}
