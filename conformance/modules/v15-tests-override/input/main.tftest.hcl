override_resource {
  target = terraform_data.a
  values = {
    id = "x"
  }
}
override_resource {
}
override_resource {
  target = terraform_data.a
}
override_resource {
  target = data.x.y
  values = 1
  foo = 1
}
override_data {
  target = terraform_data.a
}
override_module {
  target = module.m
  outputs = {}
}
override_module {
  target = terraform_data.a
  values = {}
}
