module "a" { source = "./m" }
resource "terraform_data" "x" {}
moved {
  from = terraform_data.x
  to = module.a.terraform_data.a
}
