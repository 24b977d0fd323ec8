resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.acme_notify.n]
    }
  }
}
resource "terraform_data" "b" {}
action "acme_notify" "n" {
  count = length(terraform_data.b.id)
  config {
    message = "m"
  }
}
