provider "terraform" {
  token = local.none
}
module "m" {
  source = "./m"
}
