variable "v" {
  validation {
    condition     = var.v == 2
    error_message = "x${var.v.x}"
  }
}
