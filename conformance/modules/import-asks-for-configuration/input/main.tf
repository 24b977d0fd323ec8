terraform {
  required_providers {
    aws = { source = "registry.terraform.io/hashicorp/aws" }
  }
}
provider "aws" {
  region = local.none
}
resource "terraform_data" "x" {}
import {
  to = aws_s3_bucket.x
  id = "i"
  provider = aws.z
}
provider "aws" {
  alias = "z"
  region = local.nought
}
