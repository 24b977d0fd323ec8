provider "terraform" {
  alias = "spare"
  token = terraform_data.a.id
}
resource "terraform_data" "a" {
}
