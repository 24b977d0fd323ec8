module "n" {
  source = "./p"
  count  = 2
}
moved {
  from = module.m.terraform_data.a
  to = module.n.terraform_data.b
}
