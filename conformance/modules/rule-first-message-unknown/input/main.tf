module "c" {
  source = "./c"
  v      = "b"
}
