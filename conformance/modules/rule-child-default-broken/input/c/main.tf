variable "v" {
  default = "b"
  validation {
    condition     = var.v == "a"
    error_message = "x"
  }
}
