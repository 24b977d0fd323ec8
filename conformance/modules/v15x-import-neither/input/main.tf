resource "acme_thing" "a" {
  name = "imported"
}
import {
  to = acme_thing.a
}
