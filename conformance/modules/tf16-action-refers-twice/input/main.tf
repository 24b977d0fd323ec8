terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = "${terraform_data.a.input} ${terraform_data.a.id} ${terraform_data.b.input}"
    times = terraform_data.a.input
  }
}
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
    }
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
  input = 1
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
    }
  }
}
