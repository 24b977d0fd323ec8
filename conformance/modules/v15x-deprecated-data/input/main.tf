module "a" {
  source = "./a"
}
data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = "./${module.a.old}.tfstate" }
  defaults = { a = 1 }
}
