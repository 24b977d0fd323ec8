resource "terraform_data" "a" {
  input = 1
  count = 2
  lifecycle {
    action_trigger {
      events = [after_create]
      condition = count.index == 1
      actions = [action.acme_notify.n]
    }
  }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
