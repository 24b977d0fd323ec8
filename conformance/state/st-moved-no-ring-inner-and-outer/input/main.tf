module "m" {
  source = "./p"
  count  = 2
}
moved {
  from = module.m
  to = module.m[1]
}
