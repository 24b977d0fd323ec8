import {
  for_each = { a = 1 }
  to = terraform_data.z[each.key]
  id = each.value
}
