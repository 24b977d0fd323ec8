resource "terraform_data" "b" {
  triggers_replace = "new"
  lifecycle { create_before_destroy = true }
}
removed {
  from = terraform_data.a
  lifecycle { destroy = false }
}
