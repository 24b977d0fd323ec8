module "b" {
  source = "./p"
}
moved {
  from = module.a
  to = module.b
}
moved {
  from = module.a.terraform_data.x
  to = module.b.terraform_data.y
}
