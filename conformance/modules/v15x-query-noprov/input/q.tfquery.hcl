list "acme_thing" "all" {
  config {
    filter = "f"
  }
}
