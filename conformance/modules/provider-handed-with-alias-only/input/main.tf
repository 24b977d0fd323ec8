provider "terraform" {
  alias = "other"
}

module "m" {
  source    = "./m"
  providers = { terraform = terraform }
}
