variable "a" {
  default = "x"
  ephemeral = true
  validation {
    condition = var.a == "y"
    error_message = "Got ${var.a}."
  }
}
