resource "terraform_data" "x" {
  connection {
    host = self.id
    foo = var.nope
  }
}
