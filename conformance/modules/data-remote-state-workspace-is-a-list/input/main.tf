data "terraform_remote_state" "x" {
  backend = "local"
  workspace = ["a"]
  config = { path = "x" }
}
