variable "x" { ephemeral = true }
output "a" {
  value = var.x
  ephemeral = true
}
