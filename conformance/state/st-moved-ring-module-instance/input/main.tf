module "n" {
  source = "./p"
  count  = 2
}
moved {
  from = module.m[0]
  to = module.n[1]
}
moved {
  from = module.m
  to = module.n
}
