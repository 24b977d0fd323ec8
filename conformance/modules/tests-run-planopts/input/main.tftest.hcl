run "a" {
  plan_options {
    mode = refresh-only
    refresh = false
    replace = [terraform_data.a]
    target = [terraform_data.a]
  }
}
run "b" {
  plan_options {
    mode = foo
    refresh = 1
    replace = terraform_data.a
    target = ["x"]
    foo = 1
  }
  plan_options {
  }
}
run "c" {
  command = apply
  plan_options {
    mode = "normal"
    refresh = "x"
  }
}
