terraform { 
  required_providers { 
    tf = { source = "terraform.io/builtin/terraform" }
  }
}
provider "tf" {
  token = local.none
}
module "m" {
  source = "./m"
}
