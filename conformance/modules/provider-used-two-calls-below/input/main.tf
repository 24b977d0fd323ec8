terraform { 
  required_providers { 
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
provider "terraform" {
  alias = "spare"
  token = local.none
}
module "m" {
  source = "./m"
  providers = { terraform = terraform.spare }
}
