variable "h" { default = "a" }
resource "terraform_data" "a" {
  provisioner "remote-exec" {
    when    = destroy
    inline = ["x"]
    connection {
      host = var.h
      user = each.value
    }
  }
}
