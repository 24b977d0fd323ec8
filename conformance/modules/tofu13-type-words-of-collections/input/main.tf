output "o" {
  value = try(list, 7)
}
