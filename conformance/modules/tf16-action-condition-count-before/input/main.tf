terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = "x"
  }
}
resource "terraform_data" "a" {
  count = 2
  lifecycle {
    action_trigger {
      events  = [before_create]
      condition = count.index == 0
      actions = [action.toy_ring.bell]
    }
  }
}
