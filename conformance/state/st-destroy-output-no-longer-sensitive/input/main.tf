output "o" {
  value = 1
}

output "p" {
  value     = 2
  sensitive = true
}
