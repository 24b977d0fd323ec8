module "a" {
  source = "acme/x/y.git"
  version = "1.0.0"
}
