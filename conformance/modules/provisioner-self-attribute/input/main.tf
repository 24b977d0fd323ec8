resource "terraform_data" "x" {
  provisioner "local-exec" {
    command = self.nope
  }
}
