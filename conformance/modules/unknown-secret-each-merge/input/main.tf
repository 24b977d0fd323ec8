variable "vb" {
  type      = bool
  sensitive = true
}
resource "terraform_data" "a" {
  for_each = merge(var.vb ? { a = 1 } : {}, { b = 2 })
}

