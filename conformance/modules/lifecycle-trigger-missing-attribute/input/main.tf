resource "terraform_data" "y" { input = { a = 1 } }
resource "terraform_data" "x" {
  lifecycle { replace_triggered_by = [terraform_data.y.nope] }
}
