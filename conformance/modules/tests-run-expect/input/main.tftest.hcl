run "a" {
  expect_failures = [check.c, var.v, output.o, terraform_data.a]
}
run "b" {
  expect_failures = check.c
}
run "c" {
  expect_failures = ["x"]
}
run "d" {
  expect_failures = [check.nope, var.nope, local.x, module.m, 1]
}
