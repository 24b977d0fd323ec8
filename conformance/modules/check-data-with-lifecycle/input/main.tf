check "a" {
  data "terraform_remote_state" "x" {
    backend = "local"
    config = { path = "nope" }
    lifecycle {
      precondition {
        condition = path.module == ""
        error_message = "x."
      }
    }
  }
  assert {
    condition = data.terraform_remote_state.x.outputs.a == 1
    error_message = "No."
  }
}
