variable "k" { default = null }
resource "terraform_data" "z" {
  for_each = toset(["a"])
}
import {
  to = terraform_data.z[var.k]
  id = "x"
}
