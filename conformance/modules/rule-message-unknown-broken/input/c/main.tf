variable "v" {
  validation {
    condition     = length(var.v) == 2
    error_message = "not ${join(",", var.v)}"
  }
}
