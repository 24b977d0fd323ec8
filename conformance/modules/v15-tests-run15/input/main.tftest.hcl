run "a" {
  state_key = "x"
  parallel = true
}
run "b" {
  state_key = 1
  parallel = "x"
}
