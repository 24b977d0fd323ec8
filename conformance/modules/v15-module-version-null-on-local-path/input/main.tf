module "m" {
  source  = "./m"
  version = null
}
