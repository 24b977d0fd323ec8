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
      events = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
  input="x"
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
