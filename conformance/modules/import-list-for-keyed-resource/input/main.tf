resource "terraform_data" "a" { for_each = toset(["x", "y"]) }
import {
  for_each = ["x", "y"]
  to       = terraform_data.a[each.key]
  id       = each.value
}
