resource "terraform_data" "x" {
  connection { host = "ssh" }
  provisioner "remote-exec" {
    inline = ["a"]
    connection { user = "x" }
  }
}
