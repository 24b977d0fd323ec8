module "a" {
  source = "git@example.com:a/b.git"
  version = "bogus"
}
