resource "terraform_data" "b" {
  input = "new"
}
