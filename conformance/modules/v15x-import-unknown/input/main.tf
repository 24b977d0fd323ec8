resource "acme_thing" "a" {
  name = "imported"
}
resource "terraform_data" "t" {}
import {
  to = acme_thing.a
  identity = { id = terraform_data.t.id }
}
