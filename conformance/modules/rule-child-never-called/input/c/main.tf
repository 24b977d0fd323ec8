variable "v" {
  validation {
    condition     = var.v == "a"
    error_message = "x"
  }
}
