resource "terraform_data" "y" { count = 2 }
resource "terraform_data" "x" {
  lifecycle { replace_triggered_by = [terraform_data.y[count.index]] }
}
