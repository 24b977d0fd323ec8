resource "terraform_data" "b" { }
resource "terraform_data" "a" { for_each = toset(["x", "y"]) }
import {
  for_each = toset([terraform_data.b.id])
  to = terraform_data.a[each.key]
  id = each.key
}
