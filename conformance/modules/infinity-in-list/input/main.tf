output "o" {
  value = [1, -1 / 0]
}
