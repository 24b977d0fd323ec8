run "a" {
  foo = 1
  command = apply
  bar {}
}
