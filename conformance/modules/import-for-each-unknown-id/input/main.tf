resource "terraform_data" "y" {}
resource "terraform_data" "z" {
  for_each = toset(["a"])
}
import {
  for_each = { a = terraform_data.y.id }
  to = terraform_data.z[each.key]
  id = each.value
}
