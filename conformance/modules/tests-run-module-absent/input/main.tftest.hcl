run "a" {
  module {
    source = "./nope"
  }
}
