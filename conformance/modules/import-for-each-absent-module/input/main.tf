module "m" {
  source = "./m"
  for_each = toset(["a"])
}
import {
  for_each = { a = "1", b = "2" }
  to = module.m[each.key].terraform_data.z
  id = each.value
}
