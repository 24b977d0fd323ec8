terraform { 
  required_providers { 
    terraform = { 
      source = "terraform.io/builtin/terraform" 
      configuration_aliases = [terraform.x]
    }
  }
}
data "terraform_remote_state" "a" {
  provider = terraform.x
  count = 0
  backend = "local"
}
