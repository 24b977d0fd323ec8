resource "terraform_data" "x" {
  provisioner "local-exec" {
    command = ["x"]
    environment = "a"
  }
}
