resource "terraform_data" "x" { id = terraform_data.x.id }
