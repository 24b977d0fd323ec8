output "s" {
  value = "x"
  sensitive = true
}
output "p" {
  value = "y"
}
