resource "terraform_data" "a" {
  lifecycle {
    destroy = true
  }
}
