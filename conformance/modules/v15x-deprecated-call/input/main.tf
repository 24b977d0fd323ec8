module "a" {
  source = "./a"
}
module "b" {
  source = "./b"
  x = {
    p = 1
    q = module.a.old
  }
  y = module.a.old
}
