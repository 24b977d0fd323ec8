module "c" {
  source = "./c"
  v      = null
}
