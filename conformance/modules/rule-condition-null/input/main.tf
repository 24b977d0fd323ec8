variable "v" {
  default = "a"
  validation {
    condition     = var.v == "b" ? true : null
    error_message = "x"
  }
}
