module "m" {
  source  = "github.com/example/m/aws"
  version = "1.0.0"
}
