run "a" {}
run "b" {}
run "a" {}
