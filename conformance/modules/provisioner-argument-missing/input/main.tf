resource "terraform_data" "x" {
  provisioner "local-exec" { }
}
