variable "n" {
  default = 0
}

resource "terraform_data" "none" {
  count = 0
  input = terraform_data.none
}

resource "terraform_data" "asked" {
  count = var.n
  input = terraform_data.asked[0].id
}

resource "terraform_data" "keyed" {
  for_each = {}
  input    = terraform_data.keyed["a"].id
}
