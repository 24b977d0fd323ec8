resource "terraform_data" "a" {
  for_each = { a = "x" }
  connection {
    host = each.value
  }
  provisioner "remote-exec" {
    when    = destroy
    inline = ["x"]
  }
  provisioner "remote-exec" {
    inline = ["y"]
  }
}
