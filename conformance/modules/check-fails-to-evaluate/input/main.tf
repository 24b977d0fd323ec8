locals { a = {} }
check "a" {
  assert {
    condition = local.a.x == "."
    error_message = "No."
  }
}
