run "a" {
  providers = {
    aws = aws.x
  }
}
run "b" {
  providers = [1]
}
run "c" {
  providers = {
    "x" = 1
  }
}
