provider "terraform" {
  alias = "spare"
  token = local.none
}
resource "terraform_data" "a" {
  provider = terraform.spare
  count = 0
}
