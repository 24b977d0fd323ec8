list "acme_thing" "all" {
  provider = acme
  config {
    filter = "f"
  }
}
