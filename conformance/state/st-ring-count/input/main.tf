resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "b" {
  triggers_replace = "new"
  input = terraform_data.a[0].id
  lifecycle { create_before_destroy = true }
}
