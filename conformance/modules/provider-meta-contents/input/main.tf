locals { x = 1 }
terraform {
  provider_meta "foo" {
    hello = local.x
    b {}
  }
  provider_meta "foo-bar" {
    b = upper("x")
  }
}
