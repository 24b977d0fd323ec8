resource "terraform_data" "a" {
  for_each = { (tobool("q")) = 1 }
}
