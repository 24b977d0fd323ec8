module "m" {
  source = "./m"
  count = 2
}
output "p" {
  value = module.m[*].p
}
output "s" {
  value = module.m[*].s
}
