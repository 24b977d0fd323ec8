data "terraform_data" "x" {}
resource "terraform_remote_state" "x" {}
resource "terraform_nope" "x" {}
resource "terraform_data" "a" {
  inptu = 1
}
resource "terraform_data" "b" {
  input = { a = var.nope }
  triggers_replace = [1]
  foo {}
}
