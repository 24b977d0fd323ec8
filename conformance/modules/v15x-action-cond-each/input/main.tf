resource "terraform_data" "a" {
  input = 1
  for_each = toset(["p","q"])
  lifecycle {
    action_trigger {
      events = [after_create]
      condition = each.key == "p"
      actions = [action.acme_notify.n]
    }
  }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
