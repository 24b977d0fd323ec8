variable "list" {
  type = list(object({ name = string, more = optional(list(number)) }))
}
variable "set" {
  type = set(object({ name = string, more = optional(map(bool)) }))
}
variable "nested" {
  type = map(object({ name = string, more = optional(set(string)) }))
}
variable "pair" {
  type = tuple([object({ name = string, more = optional(tuple([number])) }), object({ in = optional(object({ name = string })), out = optional(list(string)) })])
}
variable "unknown" {
  type = object({ name = string, more = optional(list(string)) })
}
variable "full" {
  type = object({ name = string, more = optional(list(string), ["d"]), most = optional(object({ x = optional(string, "dx") }), {}) })
}
variable "open" {
  type = object({ name = string, more = optional(list(any)), most = optional(map(any)) })
}
output "all" {
  value = [var.list, var.set, var.nested, var.pair, var.unknown, var.full, var.open]
}
