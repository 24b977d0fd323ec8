module "m" {
  source  = "a/b/c"
  version = 1
}
