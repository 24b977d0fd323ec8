module "m" {
  source  = "git::https://example.com/m.git"
  version = "1.0.0"
}
