data "terraform_remote_state" "a" {
  backend = "local"
  config = {path = "x"}
}
module "c" {
  source = "./${data.terraform_remote_state.a.outputs.x}"
}
