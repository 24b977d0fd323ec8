resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.acme_notify.n["z"]]
    }
  }
}
action "acme_notify" "n" {
  for_each = toset(["k"])
  config {
    message = "m"
  }
}
