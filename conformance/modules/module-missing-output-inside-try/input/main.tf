module "m" { source = "./m" }
output "o" { value = try(module.m.b, 1) }
