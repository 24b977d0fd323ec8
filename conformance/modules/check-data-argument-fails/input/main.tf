check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
    config  = { path = [for x in terraform_data.a.output : x] }
  }
  assert {
    condition     = data.terraform_remote_state.s.outputs.x == 1
    error_message = "x"
  }
}
resource "terraform_data" "a" {
}
