run "a" {
  assert {
    condition = true
  }
  assert {
    error_message = "x"
  }
  assert {
    condition = true
    error_message = "x"
    foo = 1
  }
  assert "x" {
  }
}
