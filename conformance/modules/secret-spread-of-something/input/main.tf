variable "vl" {
  type      = list(string)
  sensitive = true
}
output "o" {
  value = merge([for k in var.vl : { (k) = 1 }]...)
}

