terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  for_each = toset(["p", "q"])
  config {
    text = "${each.key} ${caller.input}"
  }
}
resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  input = each.key
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell["p"], action.toy_ring.bell["q"]]
    }
  }
}
