variable "k" {
  const = true
  type = number
}
output "x" {
  value = var.k
}
