variable "e" {
  ephemeral = true
}
output "a" {
  value     = { p = 1, e = var.e }
  ephemeral = true
}
output "b" {
  value     = [for x in ["a"] : var.e]
  ephemeral = true
}
