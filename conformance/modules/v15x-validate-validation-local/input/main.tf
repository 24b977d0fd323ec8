locals {
  max = 3
}
variable "n" {
  default = 1
  validation {
    condition = var.n != null && local.max > 5
    error_message = "Max."
  }
}
