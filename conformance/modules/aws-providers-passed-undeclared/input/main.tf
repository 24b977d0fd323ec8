provider "aws" {
  alias = "w"
  region = "eu-west-1"
}
module "m" {
  source = "./m"
  providers = { aws.b = aws.w }
}
