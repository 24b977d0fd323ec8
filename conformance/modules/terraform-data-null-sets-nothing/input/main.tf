resource "terraform_data" "a" {
  id     = null
  output = null
}
