variable "name" {
  type = string
}

output "name" {
  value = "net-${var.name}"
}
