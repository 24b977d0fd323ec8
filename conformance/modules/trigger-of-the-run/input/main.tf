resource "terraform_data" "z" {
  lifecycle {
    replace_triggered_by = [tofu.workspace]
  }
}
