list "acme_thing" "all" {
  provider = acme
  depends_on = []
  config {
    filter = "f"
  }
}
