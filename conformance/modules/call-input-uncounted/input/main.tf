module "m" {
  source = "./m"
  a      = count.index
  b      = each.key
}
