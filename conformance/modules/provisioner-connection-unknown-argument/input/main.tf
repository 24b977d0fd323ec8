resource "terraform_data" "x" {
  connection {
    host = self.id
    foo = 1
    type = "zzz"
  }
  provisioner "remote-exec" {
    inline = []
  }
}
