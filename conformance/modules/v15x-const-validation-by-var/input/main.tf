variable "k" {
  const = true
  default = "a"
  validation {
    condition = var.k == "a"
    error_message = "No: ${var.k}."
  }
}
