variable "_" {
  default = 1
}
