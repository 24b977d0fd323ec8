override_resource {
  target = "x"
}
override_module {
  target = module.m
  outputs = 1
}
override_module {
}
run "a" {
  override_resource {
    target = terraform_data.a
    override_during = plan
    values = local.x
  }
  override_resource {
    target = terraform_data.a
  }
}
