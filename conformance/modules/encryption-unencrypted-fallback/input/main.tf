terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "0123456789abcdef"
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    method "unencrypted" "old" {}
    state {
      method = method.aes_gcm.m
      fallback {
        method = method.unencrypted.old
      }
    }
  }
}
