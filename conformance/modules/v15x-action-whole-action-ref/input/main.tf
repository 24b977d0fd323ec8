resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = action.acme_notify.n
    }
  }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
