terraform {
  required_providers {
    acme = { source = "example/acme" }
  }
}
