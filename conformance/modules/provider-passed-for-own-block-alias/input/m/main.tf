provider "terraform" { alias = "b" }
resource "terraform_data" "a" {
  provider = terraform.b
}
