output "o" {
  value = 1 / 0
}
