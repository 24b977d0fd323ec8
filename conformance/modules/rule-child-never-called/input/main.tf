module "c" {
  source = "./c"
  count  = 0
  v      = "b"
}
