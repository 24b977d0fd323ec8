variable "i" {
}
output "s" {
  value = var.i
  sensitive = true
}
