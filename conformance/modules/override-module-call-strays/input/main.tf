module "m" {
  source = "./m"
  stray  = 1
}
output "o" { value = module.m.o }
