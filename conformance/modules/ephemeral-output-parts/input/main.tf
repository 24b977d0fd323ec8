variable "v" {
  ephemeral = true
  default   = "a"
}
output "list" { value = [var.v, 1] }
output "map" { value = { k = var.v } }
