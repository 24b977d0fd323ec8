resource "terraform_data" "here" {}
