variables {
  foo {}
}
