output "o" {
  value = merge([for i in sensitive([]) : { (i) = 1 }]...)
}

