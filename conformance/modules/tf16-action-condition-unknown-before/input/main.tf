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
resource "terraform_data" "b" {}
resource "terraform_data" "a" {
  lifecycle {
    action_trigger {
      events  = [before_create]
      condition = terraform_data.b.id == "m"
      actions = [action.toy_ring.bell]
    }
  }
}
