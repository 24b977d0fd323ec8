locals { a = "x" }
check "a" {
  assert {
    condition = local.a == "y"
    error_message = [local.a]
  }
}
