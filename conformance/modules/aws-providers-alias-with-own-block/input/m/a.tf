terraform {
  required_providers {
    aws = { source = "hashicorp/aws", configuration_aliases = [aws.b] }
  }
}
provider "aws" {
  alias = "b"
  region = "eu-west-1"
}
