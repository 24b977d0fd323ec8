resource "terraform_data" "a" {
  for_each = { a = "x" }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${jsonencode(each)}"
  }
}
