variable "k" {
  const = true
  type = string
  default = "d"
}
output "x" {
  value = var.k == null
}
