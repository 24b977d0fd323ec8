action "acme_gone" "n" {
  config {
    message = "m"
  }
}
