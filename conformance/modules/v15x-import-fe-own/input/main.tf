resource "acme_thing" "a" {
  for_each = toset(["p"])
  name = each.key
}
import {
  to = acme_thing.a[each.key]
  for_each = acme_thing.a
  id = each.key
}
