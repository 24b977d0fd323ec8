action "acme_notify" "n" {
  config {
    message = "m"
  }
  other {
  }
}
