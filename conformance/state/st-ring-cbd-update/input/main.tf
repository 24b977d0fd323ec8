resource "terraform_data" "b" {
  input = "new"
  lifecycle { create_before_destroy = true }
}
