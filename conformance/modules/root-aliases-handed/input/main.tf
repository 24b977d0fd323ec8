terraform { 
  required_providers { 
    terraform = { 
      source = "terraform.io/builtin/terraform" 
      configuration_aliases = [terraform.x]
    }
  }
}
module "m" {
  source = "./m"
  providers = { terraform = terraform.x }
}
