variable "vm" {
  type      = map(string)
  sensitive = true
}
output "o" {
  value = coalesce(try(var.vm["nope"], null), "d")
}

