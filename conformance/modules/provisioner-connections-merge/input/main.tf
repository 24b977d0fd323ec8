resource "terraform_data" "x" {
  connection { type = "ssh" }
  provisioner "remote-exec" {
    inline = ["a"]
    connection { host = "x" }
  }
}
