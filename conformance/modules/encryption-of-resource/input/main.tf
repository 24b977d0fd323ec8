resource "terraform_data" "a" {}
terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = terraform_data.a.id
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    state {
      method = method.aes_gcm.m
    }
  }
}
