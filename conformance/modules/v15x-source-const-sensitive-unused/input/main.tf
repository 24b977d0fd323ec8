variable "k" {
  const = true
  sensitive = true
  default = "a"
}
output "o" {
  value = 1
}
