terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "0123456789abcdefgh"
    }
    plan {
      method = method.aes_gcm.m
    }
  }
}
