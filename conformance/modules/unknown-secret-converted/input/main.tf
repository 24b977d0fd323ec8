variable "vb" {
  type      = bool
  sensitive = true
}
output "o" {
  value = tostring(var.vb)
}

