module "n" {
  source = "./p"
  count  = 2
}
resource "terraform_data" "c" {
}
moved {
  from = module.m
  to = module.n
}
