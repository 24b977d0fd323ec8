module "a" {
  source = "./m"
  count  = 2
}
module "b" {
  source   = "./m"
  for_each = toset(["x"])
}
module "c" {
  source = "./m"
}
output "a" { value = module.a }
output "b" { value = module.b }
output "c" { value = module.c }
output "first" { value = can(module.a[0]) }
output "count" { value = length(module.a) }
