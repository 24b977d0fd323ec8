variable "k" {
  const = true
  default = "x"
  validation {
    condition = var.k == "a"
    error_message = "One."
  }
  validation {
    condition = length(var.k) > 3
    error_message = "Two."
  }
}
