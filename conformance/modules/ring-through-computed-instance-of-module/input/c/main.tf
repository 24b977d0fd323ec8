variable "p" {}
output "o" { value = 1 }
