removed {
  from = module.a
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when = destroy
    command = "x"
  }
}
