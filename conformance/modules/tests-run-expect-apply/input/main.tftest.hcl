run "a" {
  command = plan
  expect_failures = [terraform_data.a[0], data.x.y]
}
