terraform {
  required_providers {
    aws = { source = "registry.terraform.io/hashicorp/aws" }
  }
}
provider "aws" {
  region = "us-east-1"
  skip_credentials_validation = true
  skip_requesting_account_id = true
  skip_metadata_api_check = true
  access_key = "a"
  secret_key = "b"
}

resource "aws_s3_bucket" "b" {
  bucket = "xyz"
}

resource "aws_s3_bucket" "c" {
  count  = 2
  bucket = "xyz${count.index}"
}

locals {
  local = aws_s3_bucket.b
}

output "attribute" {
  value = aws_s3_bucket.b.acl
}

output "whole" {
  value = aws_s3_bucket.b
}

output "local" {
  value = local.local.acl
}

output "instances" {
  value = aws_s3_bucket.c[*].acl
}

output "each" {
  value = [for bucket in aws_s3_bucket.c : bucket.bucket if bucket.acl == null]
}
