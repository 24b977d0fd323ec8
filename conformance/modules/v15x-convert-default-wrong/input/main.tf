output "a" {
  value = convert({}, object({ a = optional(number, "x") }))
}
