terraform {
  required_providers {
    amazon = { source = "hashicorp/aws" }
  }
}
provider "amazon" { region = "eu-west-1" }
module "m" {
  source = "./m"
  providers = { aws = amazon }
}
