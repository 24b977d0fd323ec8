resource "terraform_data" "x" {
  provisioner "foo" { }
}
