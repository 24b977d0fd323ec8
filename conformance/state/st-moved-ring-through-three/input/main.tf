module "b" {
  source = "./p"
}
moved {
  from = module.m[0].terraform_data.b
  to = module.n.terraform_data.b
}
moved {
  from = module.n[0]
  to = module.n
}
moved {
  from = module.m[0]
  to = module.n[0]
}
