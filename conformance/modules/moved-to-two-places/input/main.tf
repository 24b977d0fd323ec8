resource "terraform_data" "a" {}
resource "terraform_data" "c" {}
moved {
  from = terraform_data.b
  to = terraform_data.a
}
moved {
  from = terraform_data.b
  to = terraform_data.c
}
