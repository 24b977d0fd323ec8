terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = caller.input
  }
}
resource "terraform_data" "a" {
  input="x"
  lifecycle {
    action_trigger {
      events = [after_create,before_create,after_update,before_update]
      actions = [action.toy_ring.bell]
    }
  }
}
import {
  to = terraform_data.a
  id = "q"
}
