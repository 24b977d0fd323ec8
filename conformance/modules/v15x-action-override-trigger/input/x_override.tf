resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events = [before_create]
      actions = [action.acme_notify.n]
    }
  }
}
