variable "k" { default = "a" }
resource "terraform_data" "z" { for_each = toset(["a"]) }
import {
  for_each = toset(["a"])
  to       = terraform_data.z[var.k]
  id       = "x"
}
