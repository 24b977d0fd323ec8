run "a" {
  plan_options {
    mode = refresh-only
    refresh = false
  }
}
run "b" {
  plan_options {
    mode = refresh-only
    replace = [terraform_data.a]
  }
}
