variable "v" {
  validation {
    condition     = var.v == "a"
    error_message = "x"
  }
  validation {
    condition     = length(var.v) > 3
    error_message = "y"
  }
}
