variable "v" {
  default  = "b"
  nullable = false
  validation {
    condition     = var.v == "a"
    error_message = "x"
  }
}
