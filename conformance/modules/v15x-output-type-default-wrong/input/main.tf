output "x" {
  type = object({ a = optional(number, "z") })
  value = {}
}
