terraform {
  backend "foo" {}
}
