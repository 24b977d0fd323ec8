variable "v" {
  type = number
  validation {
    condition     = var.v > 12
    error_message = "x"
  }
}
variable "o" {
  type = object({ a = string, b = optional(number, 3) })
  validation {
    condition     = var.o.b != 3
    error_message = "x"
  }
}
