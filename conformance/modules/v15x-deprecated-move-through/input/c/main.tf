variable "in" {
  type = string
  validation {
    condition = var.in != "q"
    error_message = "no ${var.in}"
  }
}
output "out" {
  value = var.in
}
