variable "v" {
  foo = 1
}
