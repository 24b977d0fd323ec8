resource "terraform_data" "r" {
  other = 3
  inner {
    a = 1
  }
}
