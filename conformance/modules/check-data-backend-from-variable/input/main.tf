variable "w" { default = "nosuch" }
check "c" {
  data "terraform_remote_state" "s" {
    backend = var.w
  }
  assert {
    condition     = data.terraform_remote_state.s.outputs.x == 1
    error_message = "x"
  }
}
