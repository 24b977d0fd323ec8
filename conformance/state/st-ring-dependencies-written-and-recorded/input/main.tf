resource "terraform_data" "a" {
  input = "x"
}

resource "terraform_data" "c" {}

resource "terraform_data" "b" {
  input      = "other"
  depends_on = [terraform_data.c]
}
