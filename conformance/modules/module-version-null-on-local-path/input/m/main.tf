locals {
  here = true
}
