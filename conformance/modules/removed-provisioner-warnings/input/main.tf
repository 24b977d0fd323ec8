removed {
  from = terraform_data.gone
  provisioner "local-exec" {
    when    = destroy
    command = "echo"
  }
}
removed {
  from = terraform_data.gone2
  lifecycle {
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo"
  }
}
