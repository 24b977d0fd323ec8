action "acme_notify" "n" {
  message = "m"
  config {
    message = "m"
  }
}
