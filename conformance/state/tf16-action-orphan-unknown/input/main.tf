terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = terraform_data.b.id
  }
}
resource "terraform_data" "a" {
  count=1
  input="x"
  lifecycle {
    action_trigger {
      events = [before_destroy,after_destroy]
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
}
