resource "terraform_data" "a" {
  provider = terraform
  input    = "x"
}
