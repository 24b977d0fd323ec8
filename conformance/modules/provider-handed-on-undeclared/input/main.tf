provider "terraform" {}

module "m" {
  source = "./m"
}
