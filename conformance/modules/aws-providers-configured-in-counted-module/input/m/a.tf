provider "aws" {
  alias = "b"
  region = "eu-west-1"
}
resource "aws_s3_bucket" "x" { provider = aws.b }
