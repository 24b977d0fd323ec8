check "net" {
  data "terraform_remote_state" "net" {
    backend = "local"
    config  = data.terraform_remote_state.net.outputs
  }
  assert {
    condition     = data.terraform_remote_state.net.outputs.name == "a"
    error_message = "no"
  }
}
