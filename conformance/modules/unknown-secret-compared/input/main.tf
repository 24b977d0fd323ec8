variable "vs" {
  type      = string
  sensitive = true
}
output "o" {
  value = var.vs != null
}

