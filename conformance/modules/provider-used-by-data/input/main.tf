provider "terraform" {
  alias = "spare"
  token = local.none
}
data "terraform_remote_state" "a" {
  provider = terraform.spare
  backend = "local"
  config = { path = "x.tfstate" }
}
