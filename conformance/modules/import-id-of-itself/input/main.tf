resource "terraform_data" "z" {
}
import {
  to = terraform_data.z
  id = terraform_data.z.id
}
