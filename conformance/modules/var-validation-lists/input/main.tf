variable "v" { default = "a" }
variable "w" {
  default = "b"
  validation {
    condition     = [var.w]
    error_message = [var.w]
  }
}
