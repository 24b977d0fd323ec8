list "acme_thing" "all" {
  provider = acme
  config {
    filter = "f"
  }
}
list "acme_thing" "two" {
  provider = acme
  config {
    filter = list.acme_thing.all.data[0].identity.id
  }
}
