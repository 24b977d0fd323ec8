variable "v" {
  default = "x"
}
output "x" {
  type = number
  value = var.v
  precondition {
    condition = var.v == "y"
    error_message = "no"
  }
}
