locals { c = terraform_data.a.id }
resource "terraform_data" "a" {
  provisioner "local-exec" { command = local.c }
}
