locals { c = "" }
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = local.c
  }
}
