resource "terraform_data" "a" {
  input = "x"
}

resource "terraform_data" "b" {
  input = terraform_data.a.id
}
