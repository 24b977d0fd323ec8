variable "w" {
  validation {
    condition     = var.w == "y"
    error_message = "x"
  }
}
