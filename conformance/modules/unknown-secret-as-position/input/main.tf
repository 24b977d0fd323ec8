variable "vb" {
  type      = bool
  sensitive = true
}
output "o" {
  value = ["a", "b"][var.vb ? 0 : 1]
}

