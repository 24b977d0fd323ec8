output "x" {
  type = map(object({ p = optional(number, 1) }))
  value = { a = {}, b = { p = "2" } }
}
