provider "terraform" {
  alias = "spare"
  for_each = toset(["a"])
  token = local.none
}
resource "terraform_data" "a" {
  provider = terraform.spare["a"]
}
