module "o" {
  source = "./o"
  k = null
}
output "x" {
  value = module.o.x
}
