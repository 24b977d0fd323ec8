variable "k" {
  const = true
  default = "z"
  validation {
    condition = var.k == "a"
    error_message = "Not a."
  }
}
