provider "terraform" {
  token = local.none
}
resource "terraform_data" "a" {}
