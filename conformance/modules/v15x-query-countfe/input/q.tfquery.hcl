list "acme_thing" "all" {
  provider = acme
  count = 1
  for_each = toset(["a"])
  config {
    filter = "f"
  }
}
