provider "terraform" {
  alias = "spare"
  token = 1
  token = 2
}
resource "terraform_data" "a" {}
