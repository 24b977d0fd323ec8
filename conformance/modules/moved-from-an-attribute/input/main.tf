resource "terraform_data" "a" {}
moved {
  from = terraform_data.b.id
  to = terraform_data.a
}
