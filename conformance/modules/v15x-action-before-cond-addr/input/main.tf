resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events = [before_create]
      condition = terraform_data.a.input == 1
      actions = [action.acme_notify.n]
    }
  }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
