resource "terraform_data" "a" {
  input = "x"
}

resource "terraform_data" "n" {}

import {
  to = terraform_data.i
  id = terraform_data.n.id
}

resource "terraform_data" "i" {}
