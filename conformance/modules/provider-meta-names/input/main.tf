terraform {
  provider_meta "Foo" {
    a = 1
  }
  provider_meta "" {
    a = 2
  }
  provider_meta "-x" {
  }
}
