test {
  parallel = true
}
