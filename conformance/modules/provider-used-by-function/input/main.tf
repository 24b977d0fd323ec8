terraform { 
  required_providers { 
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
provider "terraform" {
  token = local.none
}
output "a" { value = provider::terraform::encode_expr(1) }
