provider "terraform" {
  alias = "spare"
  for_each = local.none
  token = local.none
}
resource "terraform_data" "a" {}
