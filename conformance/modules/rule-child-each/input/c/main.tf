variable "v" {
  validation {
    condition     = var.v == "a"
    error_message = "x"
  }
}
variable "w" {
  validation {
    condition     = var.w != "b"
    error_message = "x"
  }
}
