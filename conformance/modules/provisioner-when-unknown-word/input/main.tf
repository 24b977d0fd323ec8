resource "terraform_data" "x" {
  provisioner "local-exec" {
    command = "x"
    when = foo
  }
}
