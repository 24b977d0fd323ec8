module "a" {
  source = "bitbucket.org/acme/x"
  version = "1.0.0"
}
