resource "terraform_data" "x" {}
output "a" { value = terraform_data.x.nope }
