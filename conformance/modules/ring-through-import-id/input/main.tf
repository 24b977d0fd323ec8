locals { c = terraform_data.a.id }
resource "terraform_data" "a" {
}
import {
  to = terraform_data.a
  id = local.c
}
