variable "x" {
  type = object({ a = number })
  default = null
  deprecated = "X."
}
