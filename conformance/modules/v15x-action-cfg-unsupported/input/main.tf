action "acme_notify" "n" {
  config {
    message = "m"
    colour = 1
  }
}
