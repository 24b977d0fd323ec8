output "o" {
  value = list.acme_thing.all
}
