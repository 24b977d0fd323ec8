variable "n" {
  default = 1
  validation {
    condition = var.n > 5 && false
    error_message = "Too small: ${var.n}."
  }
}
