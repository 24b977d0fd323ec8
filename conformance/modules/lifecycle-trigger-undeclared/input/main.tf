resource "terraform_data" "x" {
  lifecycle { replace_triggered_by = [terraform_data.y] }
}
