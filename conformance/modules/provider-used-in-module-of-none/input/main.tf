provider "terraform" {
  alias = "spare"
  token = local.none
}
module "m" {
  source = "./m"
  count = 0
  providers = { terraform = terraform.spare }
}
