removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
  provisioner "local-exec" {
    when = destroy
    command = "x"
  }
}
