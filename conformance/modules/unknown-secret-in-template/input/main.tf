variable "vl" {
  type      = list(string)
  sensitive = true
}
output "o" {
  value = "%{for x in var.vl}a%{endfor}"
}

