data "terraform_remote_state" "x" {
  backend = "local"
  defaults = "a"
  config = { path = "x" }
}
