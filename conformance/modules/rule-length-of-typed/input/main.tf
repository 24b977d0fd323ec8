variable "v" {
  type = tuple([number])
  validation {
    condition     = length(var.v) == 2
    error_message = "x"
  }
}
