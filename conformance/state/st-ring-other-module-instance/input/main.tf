module "m" {
  count = 2
  source = "./m"
}
