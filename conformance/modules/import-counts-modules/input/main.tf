import {
  to = terraform_data.b
  id = "bb"
}
resource "terraform_data" "b" {}
module "m" {
  source = "./m"
  count = length(terraform_data.b.id)
}
