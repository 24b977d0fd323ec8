terraform {
  encryption {
    nope {}
    state {
      method = method.unencrypted.m
    }
  }
}
