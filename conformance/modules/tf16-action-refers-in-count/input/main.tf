terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  count = length(terraform_data.a.input)
  config {
    text = "x"
  }
}
resource "terraform_data" "a" {
  input = "n"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell[0]]
    }
  }
}
