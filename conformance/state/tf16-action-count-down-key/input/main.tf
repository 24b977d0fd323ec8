terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  count = 2
  config {
    text = "b-${count.index} ${caller.input}"
  }
}
resource "terraform_data" "a" {
  count=1
  lifecycle {
    action_trigger {
      events = [before_destroy]
      actions = [action.toy_ring.bell[count.index]]
    }
  }
}
