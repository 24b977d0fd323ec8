list "acme_thing" "all" {
  provider = acme
  config {
    filter = local.a
  }
}
