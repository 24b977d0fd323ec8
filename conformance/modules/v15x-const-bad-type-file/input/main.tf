variable "k" {
  const = true
  type = number
  default = 1
}
