resource "terraform_data" "a" { for_each = toset(["b"]) }
import {
  for_each = tolist(["b"])
  to       = terraform_data.a[each.value]
  id       = "x"
}
