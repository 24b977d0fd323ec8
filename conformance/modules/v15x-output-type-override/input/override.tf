output "x" {
  type = number
}
