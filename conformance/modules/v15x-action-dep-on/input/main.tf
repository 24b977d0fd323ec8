resource "terraform_data" "q" {
 depends_on = [action.acme_notify.n]
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
