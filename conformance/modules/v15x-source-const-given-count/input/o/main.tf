variable "k" {
  const = true
  default = "z"
}
output "x" {
  value = var.k
}
