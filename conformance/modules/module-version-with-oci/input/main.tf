module "a" {
  source = "oci://example.com/x"
  version = "1.0.0"
}
