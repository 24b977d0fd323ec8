resource "terraform_data" "inside" {
  input = terraform_data.inside.id
}
