resource "terraform_data" "a" {
}
data "terraform_remote_state" "s" {
  backend   = can("local")
  workspace = 1
  config    = { path = terraform_data.a.id }
}
