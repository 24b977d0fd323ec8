list "acme_thing" "all" {
  provider = acme
  other {
 }
  config {
    filter = "f"
  }
}
