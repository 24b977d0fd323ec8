variable "vl" {
  type      = list(string)
  sensitive = true
}
resource "terraform_data" "a" {
  for_each = try(toset(var.vl), toset([]))
}

