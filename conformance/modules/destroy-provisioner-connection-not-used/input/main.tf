variable "h" { default = "a" }
resource "terraform_data" "a" {
  connection {
    host = var.h
  }
  provisioner "remote-exec" {
    inline = ["x"]
  }
}
