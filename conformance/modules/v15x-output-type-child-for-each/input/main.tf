module "m" {
  source = "./m"
  for_each = toset(["a"])
}
output "x" {
  value = module.m["a"].o + 1
}
output "y" {
  value = [for k, v in module.m : v.nope]
}
