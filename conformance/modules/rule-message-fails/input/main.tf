variable "v" {
  default = {}
  type    = map(string)
  validation {
    condition     = length(var.v) == 0
    error_message = "no ${var.v["x"]}"
  }
}
