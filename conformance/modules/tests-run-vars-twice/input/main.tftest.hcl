run "a" {
  variables {
    a = 1
  }
  variables {
    b = 1
  }
}
