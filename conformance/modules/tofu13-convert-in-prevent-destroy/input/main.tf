resource "terraform_data" "a" {
  lifecycle {
    prevent_destroy = convert("true", bool)
  }
}
