resource "terraform_data" "b" {
  triggers_replace = "new"
  lifecycle { create_before_destroy = true }
}
