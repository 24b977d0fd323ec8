variables = {
  a = 1
}
