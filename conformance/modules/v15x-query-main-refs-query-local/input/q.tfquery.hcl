locals {
  a = "x"
}
