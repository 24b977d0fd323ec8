terraform {
  encryption {
    key_provider "nope" "k" {
      passphrase = "0123456789abcdef"
    }
    method "rot13" "m" {
    }
  }
}
