variable "n" {
  type = number
  validation {
    condition = var.n > 3
    error_message = "too small"
  }
}
