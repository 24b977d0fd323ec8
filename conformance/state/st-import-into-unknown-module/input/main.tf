resource "terraform_data" "c" {
}
import {
  to = module.m["b"].terraform_data.b["a"]
  id = "x"
}
