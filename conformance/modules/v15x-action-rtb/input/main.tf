resource "terraform_data" "q" {
 lifecycle {
 replace_triggered_by = [action.acme_notify.n]
 }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
