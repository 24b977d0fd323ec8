terraform {
  required_providers {
    aws = { source = "hashicorp/aws", configuration_aliases = [aws.c] }
  }
}
resource "aws_s3_bucket" "x" { provider = aws.c }
