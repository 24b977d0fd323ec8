terraform {
  required_providers {
    my_aws = {
      source = "hashicorp/aws"
    }
    Big = {
      source = "foo/bar"
    }
  }
}
