variable "vb" {
  type      = bool
  sensitive = true
}
output "o" {
  value = !var.vb
}

