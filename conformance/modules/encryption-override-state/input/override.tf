terraform {
  encryption {
    method "unencrypted" "m2" {
    }
    state {
      method = method.unencrypted.m2
    }
  }
}
