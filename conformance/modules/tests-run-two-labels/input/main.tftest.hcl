run "a" "b" {}
