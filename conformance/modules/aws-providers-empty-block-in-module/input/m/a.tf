provider "aws" {
}
resource "aws_s3_bucket" "x" { }
