module "a" {
  source = "./m"
  count = 2
}
moved {
  from = module.a
  to = module.a[0]
}
