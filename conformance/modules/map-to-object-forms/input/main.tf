locals {
  plain = tomap({ name = "a" })
}
resource "terraform_data" "m" {
  input = tomap({ name = "a" })
}
module "m" {
  source  = "./m"
  list    = [local.plain, local.plain]
  set     = toset([local.plain])
  nested  = { in = local.plain }
  pair    = [local.plain, tomap({ in = local.plain })]
  unknown = tomap(terraform_data.m.output)
  full    = local.plain
  open    = local.plain
}
output "o" {
  value = module.m.all
}
