terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
locals {
  l = terraform_data.a.input
}
action "toy_ring" "bell" {
  config {
    text = "x"
  }
}
resource "terraform_data" "a" {
  input = "n"
  lifecycle {
    action_trigger {
      events  = [before_create]
      condition = local.l == "n"
      actions = [action.toy_ring.bell]
    }
  }
}
