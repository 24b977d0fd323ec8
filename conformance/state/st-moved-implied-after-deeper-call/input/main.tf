module "n" {
  source = "./p"
  count  = 2
}
moved {
  from = module.n.module.k
  to = module.n.module.q
}
