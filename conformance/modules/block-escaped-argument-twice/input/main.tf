resource "terraform_data" "x" {
  input = 2
  _ { input = 1 }
}
