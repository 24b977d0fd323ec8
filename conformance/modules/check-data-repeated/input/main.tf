check "a" {
  data "terraform_remote_state" "x" {
    count = 1
    backend = "local"
    config = { path = "nope" }
  }
  assert {
    condition = data.terraform_remote_state.x[0].outputs.a == 1
    error_message = "No."
  }
}
