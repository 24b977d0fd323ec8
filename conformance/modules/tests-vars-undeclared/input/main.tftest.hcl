variables {
  nope = 1
}
run "a" {
  variables {
    nope2 = 1
    v = run.zzz.x
  }
}
