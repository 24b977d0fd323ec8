resource "terraform_data" "y" { count = 0 }
resource "terraform_data" "z" {
  lifecycle {
    replace_triggered_by = [terraform_data.y]
  }
}
