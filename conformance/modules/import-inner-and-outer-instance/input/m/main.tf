import {
  to = terraform_data.a
  id = "inner"
}
resource "terraform_data" "a" {}
