module "a" {
  source = "/tmp/a/q"
  version = "1.0.0"
}
