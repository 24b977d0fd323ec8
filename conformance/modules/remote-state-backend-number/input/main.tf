data "terraform_remote_state" "x" {
  backend = 1
  config  = { path = "a" }
}
