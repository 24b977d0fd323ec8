list "acme_thing" "all" {
  provider = acme
  config {
    filter = list.acme_thing.gone.data
  }
}
