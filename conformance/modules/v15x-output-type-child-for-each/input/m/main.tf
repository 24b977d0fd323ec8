output "o" {
  type = number
  value = "1"
}
