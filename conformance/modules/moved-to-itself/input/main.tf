resource "terraform_data" "a" {}
moved {
  from = terraform_data.a
  to = terraform_data.a
}
