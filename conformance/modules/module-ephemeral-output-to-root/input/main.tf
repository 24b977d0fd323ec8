module "m" {
  source = "./m"
  x = "a"
}
output "o" { value = module.m.a }
