removed {
  from = resource.terraform_data.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = ephemeral.terraform_data.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = data.terraform_data.x
  lifecycle {
    destroy = false
  }
}
moved {
  from = ephemeral.foo.x
  to = terraform_data.y
}
moved {
  from = data.foo.x
  to = ephemeral.data.y
}
moved {
  from = resource.terraform_data.x
  to = resource.terraform_data.y
}
