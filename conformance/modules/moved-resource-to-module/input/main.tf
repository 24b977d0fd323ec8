resource "terraform_data" "a" {}
moved {
  from = module.b
  to = terraform_data.a
}
