locals {
  a = 3
}
