provider "terraform" {
  alias = "spare"
  version = local.none
}
resource "terraform_data" "a" {}
