variable "x" {
}
variable "y" {
}
locals {
  w = var.x.q
}
output "p" {
  value = var.x.p
}
output "y" {
  value = var.y
}
