locals { c = terraform_data.a.id }
resource "terraform_data" "a" {
  connection { host = local.c }
  provisioner "local-exec" { command = "x" }
}
