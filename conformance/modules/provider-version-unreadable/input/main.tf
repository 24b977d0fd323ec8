provider "terraform" {
  alias = "spare"
  version = "bogus"
}
resource "terraform_data" "a" {}
