variable "s" {
  default = "1"
  sensitive = true
}
output "x" {
  type = list(number)
  value = [var.s]
  sensitive = true
}
output "bad" {
  type = list(number)
  value = ["q", var.s]
  sensitive = true
}
