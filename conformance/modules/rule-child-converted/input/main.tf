module "c" {
  source = "./c"
  v      = "12"
  o      = { a = "x" }
}
