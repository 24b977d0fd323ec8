module "a" {
  source = "git::ssh://git@example.com/x.git?ref=v1"
  version = "1.0.0"
}
