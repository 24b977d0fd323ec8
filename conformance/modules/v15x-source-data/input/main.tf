data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = "x" }
}
module "m" {
  source = "./${data.terraform_remote_state.s.backend}"
}
