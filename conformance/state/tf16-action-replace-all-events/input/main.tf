terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = caller.triggers_replace
  }
}
resource "terraform_data" "r" {
  triggers_replace="new"
  lifecycle {
    action_trigger {
      events = [before_create,after_create,before_destroy,after_destroy,before_update,after_update]
      actions = [action.toy_ring.bell]
    }
  }
}
