terraform {
  encryption {
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.nope
    }
    state {
      method = method.aes_gcm.m
    }
  }
}
