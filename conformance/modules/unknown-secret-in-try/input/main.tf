variable "vm" {
  type      = map(string)
  sensitive = true
}
output "o" {
  value = try(var.vm["nope"], "d")
}

