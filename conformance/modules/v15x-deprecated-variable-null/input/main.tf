variable "x" {
  default = 1
  deprecated = "No."
}
output "x" {
  value = var.x
}
