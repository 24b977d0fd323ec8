module "m" {
  source = "./m"
  for_each = toset(["p", "q"])
}
import {
  to = module.m["p"].terraform_data.a
  id = "root"
}
