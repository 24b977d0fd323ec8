resource "terraform_data" "a" { count = 2 }
import {
  to = terraform_data.a
  id = "x"
}
