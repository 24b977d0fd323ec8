variable "k" {
  const = true
  type = string
}
output "x" {
  value = var.k
}
