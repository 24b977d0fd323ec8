resource "terraform_data" "a" {
  triggers_replace = "new"
  lifecycle { create_before_destroy = true }
}
