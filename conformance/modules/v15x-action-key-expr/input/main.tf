resource "terraform_data" "a" {
  input = 1
  for_each = toset(["p","q"])
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.acme_notify.n["${each.key}"]]
    }
  }
}
action "acme_notify" "n" {
  for_each = toset(["p","q"])
  config {
    message = "m"
  }
}
