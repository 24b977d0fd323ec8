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
      events  = [before_create]
      condition = self.input == "n"
      actions = [action.toy_ring.bell]
    }
  }
}
