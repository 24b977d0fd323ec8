variable "v" {
  default = "a"
  validation {
    condition     = var.v == "a"
    error_message = var.v == "b" ? "x" : null
  }
}
