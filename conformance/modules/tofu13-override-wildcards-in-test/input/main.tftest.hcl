override_resource {
  target = terraform_data.a[*]
  values = { id = "all" }
}

override_resource {
  target = module.m[*].terraform_data.inner[*]
  values = { id = "inner" }
}

override_module {
  target  = module.m[*]
  outputs = {}
}

run "one" {
  command = plan
}
