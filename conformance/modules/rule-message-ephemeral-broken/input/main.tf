variable "v" {
  default   = "b"
  ephemeral = true
  validation {
    condition     = var.v == "a"
    error_message = "not ${var.v}"
  }
}
