terraform {
  encryption {
    method "unencrypted" "m" {
    }
    state {
      method = method.unencrypted.m
    }
  }
}
