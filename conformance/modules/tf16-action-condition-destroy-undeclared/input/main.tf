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
  lifecycle {
    action_trigger {
      events  = [before_destroy]
      condition = var.nope
      actions = [action.toy_ring.bell]
    }
  }
}
