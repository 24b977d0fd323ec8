variable "vs" {
  type      = string
  sensitive = true
}
output "o" {
  value = try(var.vs, "d")
}

