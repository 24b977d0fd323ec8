resource "terraform_data" "a" {
  triggers_replace = "new"
  lifecycle {
    prevent_destroy = uuid() == ""
  }
}
