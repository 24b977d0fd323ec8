resource "terraform_data" "a" {
}
locals { z = terraform_data.a.id }
provider "terraform" {
  alias = "x"
  for_each = toset([local.z])
}
