resource "terraform_data" "a" { for_each = toset(["x", "y"]) }
import {
  to = terraform_data.a[each.key]
  id = "x"
}
