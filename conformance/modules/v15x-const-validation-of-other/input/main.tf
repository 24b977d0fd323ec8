variable "o" {
  default = "z"
}
variable "k" {
  const = true
  default = "x"
  validation {
    condition = var.k == var.o
    error_message = "Other."
  }
}
