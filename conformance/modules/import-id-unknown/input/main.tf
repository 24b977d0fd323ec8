resource "terraform_data" "b" {}
resource "terraform_data" "a" {}
import {
  to = terraform_data.a
  id = terraform_data.b.id
}
