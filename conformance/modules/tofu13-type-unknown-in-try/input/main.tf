output "o" {
  value = try(convert(1, strings), 7)
}
