terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = terraform_data.b.input
  }
}
resource "terraform_data" "a" {
  input="y"
  lifecycle {
    action_trigger {
      events = [after_destroy]
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
  input = "new"
}
