resource "terraform_data" "a" {}

resource "terraform_data" "b" {}

moved {
  from = terraform_data.x
  to = terraform_data.a
}
