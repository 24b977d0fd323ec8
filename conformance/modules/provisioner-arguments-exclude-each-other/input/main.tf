resource "terraform_data" "x" {
  provisioner "remote-exec" {
    inline = ["a"]
    script = "b"
  }
}
