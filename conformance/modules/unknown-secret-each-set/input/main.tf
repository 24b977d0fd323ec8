variable "vb" {
  type      = bool
  sensitive = true
}
resource "terraform_data" "a" {
  for_each = toset(var.vb ? ["a"] : [])
}

