data "terraform_remote_state" "net" {
  backend = "local"
  config = {
    path = "${path.module}/net.tfstate"
  }
  outputs = { other = 1 }
}

output "read" {
  value = data.terraform_remote_state.net.outputs
}
