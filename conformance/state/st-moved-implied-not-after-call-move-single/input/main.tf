module "n" {
  source = "./p"
}
moved {
  from = module.m
  to = module.n
}
