list "acme_thing" "all" {
  provider = acme
  limit = -1
  config {
    filter = "f"
  }
}
