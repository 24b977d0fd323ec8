module "m" {
  source = "./m"
}

import {
  for_each = { a = local.none }
  to       = module.m.terraform_data.nowhere[each.key]
  id       = var.none
}
