variable "vb" {
  type      = bool
  sensitive = true
}
resource "terraform_data" "a" {
  for_each = merge([for i in (var.vb ? [] : ["a"]) : { (i) = 1 }]...)
}

