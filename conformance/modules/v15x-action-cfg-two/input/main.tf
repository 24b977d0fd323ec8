action "acme_notify" "n" {
  config {
    message = "m"
  }
  config {
    message = "m"
  }
}
