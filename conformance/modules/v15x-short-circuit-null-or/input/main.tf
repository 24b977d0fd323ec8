output "x" {
  value = null || false
}
