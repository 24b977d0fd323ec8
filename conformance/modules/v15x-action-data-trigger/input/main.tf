data "terraform_remote_state" "d" {
 backend = "local"
 lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.acme_notify.n]
    }
 }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
