resource "terraform_data" "a" {
  count = 0
  lifecycle {
    destroy = true
  }
}
