resource "terraform_data" "r" {
  input = 1
  stray = 2
}
