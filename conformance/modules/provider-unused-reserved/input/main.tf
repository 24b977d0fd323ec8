provider "terraform" {
  alias = "spare"
  count = 1
  lifecycle {}
}
resource "terraform_data" "a" {}
