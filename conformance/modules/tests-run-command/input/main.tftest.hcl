run "a" {
  command = destroy
}
run "b" {
  command = "plan"
}
run "c" {
  command = 1
}
run "d" {
  command = local.x
}
