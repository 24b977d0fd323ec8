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
  input="y"
  lifecycle {
    action_trigger {
      events = [after_update]
      condition = self.input == "y"
      actions = [action.toy_ring.bell]
    }
  }
}
