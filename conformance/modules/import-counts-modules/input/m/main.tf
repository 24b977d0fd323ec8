import {
  to = terraform_data.a
  id = "k"
}
resource "terraform_data" "a" {}
