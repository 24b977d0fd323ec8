resource "terraform_data" "a" {
  dynamic "store" {
    for_each = sensitive([1])
    content {
      input = store.value
      version = store.value
    }
  }
}
output "o" {
  value = terraform_data.a.store.output
}
