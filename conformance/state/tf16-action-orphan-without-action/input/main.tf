terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  for_each = toset(["p"])
  config {
    text = "b-${each.key} ${caller.input}"
  }
}
resource "terraform_data" "a" {
  for_each=toset(["p"])
  lifecycle {
    action_trigger {
      events = [before_destroy]
      actions = [action.toy_ring.bell[each.key]]
    }
  }
}
