run "a b" {}
