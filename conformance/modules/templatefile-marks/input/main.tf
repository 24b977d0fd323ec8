output "o" {
  value = issensitive(templatefile("${path.module}/t.tftpl", { a = 1, b = { c = sensitive(2) } }))
}

