module "n" {
  source = "./p"
  count  = 2
}
moved {
  from = module.m
  to = module.n[0]
}
