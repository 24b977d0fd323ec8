resource "terraform_data" "a" { for_each = toset(["1"]) }
import {
  for_each = toset([null, "1"])
  to       = terraform_data.a["1"]
  id       = "x"
}
