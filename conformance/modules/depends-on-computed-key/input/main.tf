resource "terraform_data" "y" { count = 1 }
resource "terraform_data" "x" { depends_on = [terraform_data.y[1-1]] }
