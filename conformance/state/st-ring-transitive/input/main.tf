resource "terraform_data" "b" { input = "x" }
resource "terraform_data" "c" {
  triggers_replace = "new"
  input = terraform_data.b.id
  lifecycle { create_before_destroy = true }
}
