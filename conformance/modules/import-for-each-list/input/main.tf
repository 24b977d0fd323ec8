resource "terraform_data" "a" { for_each = toset(["1"]) }
import {
  for_each = tolist(["1"])
  to       = terraform_data.a[each.value]
  id       = "x"
}
