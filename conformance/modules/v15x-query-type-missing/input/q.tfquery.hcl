list "acme_gone" "all" {
  provider = acme
  config {
    filter = "f"
  }
}
