resource "terraform_data" "y" {}
resource "terraform_data" "z" {
  lifecycle {
    replace_triggered_by = [terraform_data.y.nope]
  }
}
