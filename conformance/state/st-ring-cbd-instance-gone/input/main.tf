resource "terraform_data" "a" {
  count = 1
  triggers_replace = "new"
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "b" {
  input = terraform_data.a[0].id
}
