terraform { 
  required_providers { 
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
provider "terraform" {
  token = local.none
}
provider "terraform" {
  alias = "spare"
}
module "m" {
  source = "./m"
  providers = { terraform.x = terraform.spare }
}
