language {
  nope = 1
  blk {
    a = 1
  }
  edition = foo
}
