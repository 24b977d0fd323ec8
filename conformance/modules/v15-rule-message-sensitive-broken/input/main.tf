variable "v" {
  default   = "b"
  sensitive = true
  validation {
    condition     = var.v == "a"
    error_message = "not ${var.v}"
  }
}
