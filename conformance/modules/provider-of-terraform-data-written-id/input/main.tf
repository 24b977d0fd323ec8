resource "terraform_data" "a" {
  provider = terraform
  id       = "x"
}
