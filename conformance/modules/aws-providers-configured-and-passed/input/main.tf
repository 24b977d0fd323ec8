provider "aws" {
  region = "eu-west-1"
}
module "m" {
  source = "./m"
  providers = { aws = aws }
}
