module "a" {
  source = "https://example.com/x.zip"
  version = "1.0.0"
}
