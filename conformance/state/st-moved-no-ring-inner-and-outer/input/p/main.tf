resource "terraform_data" "a" {}

moved {
  from = terraform_data.x
  to = terraform_data.a
}
