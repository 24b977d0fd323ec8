resource "terraform_data" "z" {
  for_each = toset(["a"])
}
import {
  for_each = { a = null }
  to = terraform_data.z[each.key]
  id = each.value
}
