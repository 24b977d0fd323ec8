provider "terraform" {
  alias = "spare"
  token = local.none
}
check "a" {
  data "terraform_remote_state" "a" {
    provider = terraform.spare
    backend = "local"
    config = { path = "x.tfstate" }
  }
  assert {
    condition = data.terraform_remote_state.a.outputs != null
    error_message = "x"
  }
}
