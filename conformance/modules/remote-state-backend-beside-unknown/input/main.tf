resource "terraform_data" "a" {}
data "terraform_remote_state" "x" {
  backend = "nope"
  config  = { path = "a", stray = terraform_data.a.id }
}
