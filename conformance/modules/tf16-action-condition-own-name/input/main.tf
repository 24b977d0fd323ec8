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
resource "terraform_data" "a" {
  input = "n"
  lifecycle {
    action_trigger {
      events  = [after_create]
      condition = terraform_data.a.input == "n"
      actions = [action.toy_ring.bell]
    }
  }
}
