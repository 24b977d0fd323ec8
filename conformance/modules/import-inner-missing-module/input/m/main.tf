module "n" {
  source = "./n"
  count = 2
}
import {
  to = module.n[1].terraform_data.a
  id = "one"
}
import {
  to = module.n[5].terraform_data.a
  id = "five"
}
