variable "names" {
  type    = list(string)
  default = ["é", "𝄞"]
}

locals {
  upper = [for name in var.names : upper(name)]
  first = local.upper[0]
}

module "net" {
  source = "./net"
  name   = local.first
}

resource "terraform_data" "each" {
  for_each = toset(var.names)
  input    = each.key
}

output "name" {
  value = "${module.net.name}"
}
