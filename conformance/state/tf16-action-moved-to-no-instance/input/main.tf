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
  count=1
  input="x"
  lifecycle {
    action_trigger {
      events = [before_destroy]
      actions = [action.toy_ring.bell]
    }
  }
}
moved {
  from = terraform_data.b
  to = terraform_data.a[3]
}
