action "acme_notify" "n" {
  config {
    message = "m"
  }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
