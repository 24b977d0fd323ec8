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
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
      on_failure = 1
    }
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
      on_failure = halt[0]
    }
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
      on_failure = [halt]
    }
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
      on_failure = halt()
    }
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
      on_failure = "${"halt"}"
    }
    action_trigger {
      events  = [after_create]
      actions = [action.toy_ring.bell]
      on_failure = "stop"
    }
  }
}
