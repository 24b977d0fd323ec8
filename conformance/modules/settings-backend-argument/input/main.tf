terraform {
  backend "local" {
    path = "foo.tfstate"
    nope = "x"
  }
}
