variable "b" {
  default = false
}

output "a" {
  value = var.b ? toset(["x"]) : null
}

output "n" {
  value = null
}

output "s" {
  value = var.b ? toset(["x"]) : null
}

output "d" {
  value = var.b ? toset(["x"]) : null
}
