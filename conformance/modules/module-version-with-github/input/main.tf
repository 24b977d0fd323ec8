module "a" {
  source = "github.com/acme/x"
  version = "1.0.0"
}
