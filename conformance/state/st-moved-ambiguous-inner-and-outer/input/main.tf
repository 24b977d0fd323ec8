module "m" {
  source = "./p"
}
moved {
  from = module.m.terraform_data.x
  to = module.m.terraform_data.b
}
