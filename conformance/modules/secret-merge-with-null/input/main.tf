variable "vb" {
  type      = bool
  sensitive = true
}
output "o" {
  value = merge({ a = 1 }, var.vb ? null : { b = 2 })
}

