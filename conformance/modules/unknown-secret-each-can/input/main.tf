variable "vm" {
  type      = map(string)
  sensitive = true
}
resource "terraform_data" "a" {
  for_each = can(var.vm["nope"]) ? { a = 1 } : {}
}

