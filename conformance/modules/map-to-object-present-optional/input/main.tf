module "m" {
  source = "./m"
  p      = tomap({ name = "a", more = "b" })
  q      = tomap({ name = "a", more = null })
}
