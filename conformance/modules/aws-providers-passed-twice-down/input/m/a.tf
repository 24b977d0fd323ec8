terraform {
  required_providers {
    aws = { source = "hashicorp/aws", configuration_aliases = [aws.b] }
  }
}
module "n" {
  source = "./n"
  providers = { aws.c = aws.b }
}
