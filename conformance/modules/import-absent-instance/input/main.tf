resource "terraform_data" "a" { count = 2 }
import {
  to = terraform_data.a[7]
  id = "x"
}
