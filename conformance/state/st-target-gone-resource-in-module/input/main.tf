module "m" {
  source = "./p"
}
resource "terraform_data" "c" {
}
