variable "v" {
  validation {
    condition     = var.v == "a" && false
    error_message = "x"
  }
}
