module "a" { source = "./m" }
removed {
  from = module.a.terraform_data.a
  lifecycle { destroy = false }
}
