resource "terraform_data" "inner" {
  count = 2
}
