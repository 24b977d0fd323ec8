variable "o" {
  type = object({ a = string })
}
variable "l" {
  type = list(object({ a = string }))
}
variable "m" {
  type = map(object({ a = string, n = optional(object({ z = number })) }))
}
output "o" {
  value = [var.o, var.l, var.m]
}
