resource "terraform_data" "a" {
  input = "v"
}

import {
  to = terraform_data.a
  id = ""
}
