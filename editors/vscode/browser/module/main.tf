# A site in several zones: its networks, and what runs in them.

variable "name" {
  type        = string
  description = "Name of the site, as it stands in all names below it"
}

variable "zones" {
  type    = list(string)
  default = ["a", "b"]
}

variable "range" {
  type    = string
  default = "10.20.0.0/16"
}

locals {
  prefix  = lower("${var.name}-site")
  subnets = { for index, zone in var.zones : zone => cidrsubnet(var.range, 8, index) }
  labels  = { site = local.prefix, zones = length(var.zones) }
}

module "net" {
  source   = "./modules/net"
  for_each = local.subnets
  name     = "${local.prefix}-${each.key}"
  range    = each.value
}

resource "terraform_data" "host" {
  count = length(var.zones)
  input = templatefile("${path.module}/templates/hello.tftpl", { name = local.prefix, zone = var.zones[count.index] })
}

output "ranges" {
  value = { for zone, net in module.net : zone => net.usable }
}

output "title" {
  value = "${local.prefix}"
}
