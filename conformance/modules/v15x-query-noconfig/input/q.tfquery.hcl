list "acme_thing" "all" {
  provider = acme
}
