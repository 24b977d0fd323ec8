resource "terraform_data" "a" { }
import {
  to = terraform_data.a[0]
  id = "x"
}
