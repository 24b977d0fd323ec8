module "m" {
  source = "./p"
}
resource "terraform_data" "b" {
}
moved {
  from = terraform_data.b["a"]
  to = module.m[1].terraform_data.a["a"]
}
