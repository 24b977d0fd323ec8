run "a" {
  assert {
    condition = local.nope == output.nope
    error_message = run.b.x
  }
}
run "b" {
  assert {
    condition = upper([]) == foo()
    error_message = 1
  }
}
