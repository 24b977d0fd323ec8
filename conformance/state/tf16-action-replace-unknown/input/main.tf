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
resource "terraform_data" "r" {
  triggers_replace="new"
  lifecycle {
    action_trigger {
      events = [before_destroy,after_destroy]
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
}
