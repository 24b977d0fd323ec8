test {
  foo = 1
}
test {
}
