removed {
  from = terraform_data.gone
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo"
  }
  provisioner "local-exec" {
    command = "echo"
  }
}
removed {
  from = module.gone
  provisioner "local-exec" {
    when    = destroy
    command = "echo"
  }
}
removed {
  from = terraform_data.gonex
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id} ${local.x}"
  }
}
