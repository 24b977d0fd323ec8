resource "terraform_data" "x" {
  provisioner "chef" {
    source = "c"
  }
}
