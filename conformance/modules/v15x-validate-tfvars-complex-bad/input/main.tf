variable "n" {
  type = map(string)
  default = {}
}
