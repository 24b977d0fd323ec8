module "one" {
  source = "./c"
  v      = "a"
}
module "two" {
  source = "./c"
  v      = "b"
}
