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
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
