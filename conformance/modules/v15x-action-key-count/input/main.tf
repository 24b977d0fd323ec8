resource "terraform_data" "a" {
  input = 1
  count = 2
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.acme_notify.n[count.index]]
    }
  }
}
action "acme_notify" "n" {
  count = 2
  config {
    message = "m"
  }
}
