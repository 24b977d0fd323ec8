action "acme_notify" "n" {
  provider = acme.west
  config {
    message = "m"
  }
}
provider "acme" {
  alias = "west"
}
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.acme_notify.n]
    }
  }
}
