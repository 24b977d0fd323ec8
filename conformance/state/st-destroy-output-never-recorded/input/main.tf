resource "terraform_data" "a" {
  input = "x"
}

import {
  to = terraform_data.i
  id = "taken"
}

resource "terraform_data" "i" {}

output "o" {
  value = terraform_data.i.id
}
