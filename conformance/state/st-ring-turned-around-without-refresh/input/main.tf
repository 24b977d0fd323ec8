resource "terraform_data" "c" {
  triggers_replace = "new"
}
resource "terraform_data" "a" {
  triggers_replace = terraform_data.c.id
  lifecycle { create_before_destroy = true }
}
