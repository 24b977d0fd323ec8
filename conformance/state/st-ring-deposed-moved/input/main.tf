resource "terraform_data" "z" {
  input = "x"
}

resource "terraform_data" "b" {
  input = terraform_data.z.id
}

moved {
  from = terraform_data.a
  to   = terraform_data.z
}
