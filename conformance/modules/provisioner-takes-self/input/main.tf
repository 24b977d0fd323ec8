resource "terraform_data" "x" {
  input = { a = 1 }
  provisioner "local-exec" {
    command = self
  }
}
