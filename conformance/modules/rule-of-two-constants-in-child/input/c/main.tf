variable "a" {
  type = number
}
variable "b" {
  type = number
  validation {
    condition     = var.b < var.a
    error_message = "b"
  }
}
