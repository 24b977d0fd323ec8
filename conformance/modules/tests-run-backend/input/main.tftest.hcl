run "a" {
  backend "local" {
    path = "x"
  }
}
run "b" {
  skip_cleanup = true
}
