action "acme_notify" "n" {
  config {
    times = 3
  }
}
