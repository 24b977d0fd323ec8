variable "o" {
  type = object({ a = string })
}
variable "p" {
  type = object({ a = string })
}
