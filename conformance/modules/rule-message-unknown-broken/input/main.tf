resource "terraform_data" "a" {}
module "c" {
  source = "./c"
  v      = [terraform_data.a.id]
}
