terraform { 
  required_providers { 
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
output "a" { value = provider::terraform::encode_expr(1) }
