module "c" {
  source = "./c"
  a      = 1
  b      = 2
}
