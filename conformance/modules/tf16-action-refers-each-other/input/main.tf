terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "one" {
  config {
    text = terraform_data.b.input
  }
}
action "toy_ring" "two" {
  config {
    text = terraform_data.a.input
  }
}
resource "terraform_data" "a" {
  input="x"
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.toy_ring.one]
    }
  }
}
resource "terraform_data" "b" {
  input="y"
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.toy_ring.two]
    }
  }
}
