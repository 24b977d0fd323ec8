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
  input=1
  lifecycle {
    action_trigger {
      events = [after_update]
      condition = terraform_data.b.input[3] == 1
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
  input = [1]
}
