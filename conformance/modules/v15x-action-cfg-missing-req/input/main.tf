action "acme_notify" "n" {
  config {
  }
}
