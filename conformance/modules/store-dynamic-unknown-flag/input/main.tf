resource "terraform_data" "b" {}
resource "terraform_data" "a" {
  dynamic "store" {
    for_each = toset([terraform_data.b.id])
    content {
      input = 1
      sensitive = true
    }
  }
}
