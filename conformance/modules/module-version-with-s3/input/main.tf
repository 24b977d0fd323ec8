module "a" {
  source = "s3::https://s3.amazonaws.com/x/y.zip"
  version = "1.0.0"
}
