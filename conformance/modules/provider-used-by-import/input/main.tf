terraform { 
  required_providers { 
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
provider "terraform" {
  token = local.none
}
import {
  to = terraform_data.a
  id = "x"
}
