resource "terraform_data" "x" {
  provisioner "local-exec" {
    command = "x"
    when = "destroy"
    on_failure = "continue"
  }
}
