module "a" {
  source = "./m"
  version = null
}
