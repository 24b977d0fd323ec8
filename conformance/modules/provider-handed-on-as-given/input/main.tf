provider "terraform" {}

module "m" {
  source    = "./m"
  providers = { terraform = terraform }
}
