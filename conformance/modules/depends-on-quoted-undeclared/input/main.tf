resource "terraform_data" "x" { depends_on = ["terraform_data.nope"] }
