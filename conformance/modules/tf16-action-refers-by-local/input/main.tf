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
    text = local.l
  }
}
resource "terraform_data" "a" {
  input = "n"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
