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
  input = [1]
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
