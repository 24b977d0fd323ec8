module "m" {
  source = "./m"
  x = null
  y = local.n
  z = tostring(null)
}
locals {
  n = null
}
