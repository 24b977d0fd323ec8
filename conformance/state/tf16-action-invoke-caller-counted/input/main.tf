terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  count = 2
  config {
    text = "${count.index} ${caller.input}"
  }
}
resource "terraform_data" "a" {
  count=2
  input="x"
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.toy_ring.bell[count.index]]
    }
  }
}
