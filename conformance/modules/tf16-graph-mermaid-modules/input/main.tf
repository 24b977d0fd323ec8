terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
variable "v" { default = 1 }
resource "terraform_data" "a" {
  count = 2
  input = module.net["x"].out
}
module "net" {
  source = "./net"
  for_each = toset(["x"])
  i = terraform_data.b.id
}
module "other" {
  source = "./net"
  i = module.net["x"].out
  depends_on = [terraform_data.a]
}
resource "terraform_data" "b" {
  input = var.v
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "c" {
  input = data.terraform_remote_state.s.outputs
}
data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = terraform_data.b.id }
}
action "toy_ring" "bell" {
  config {
    text = caller.id
  }
}
