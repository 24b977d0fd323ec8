resource "terraform_data" "a" {
  depends_on = [module.c]
}
module "c" {
  source = "./c"
  p      = terraform_data.a.id
}
