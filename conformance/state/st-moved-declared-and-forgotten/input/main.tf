resource "terraform_data" "b" {
}
moved {
  from = terraform_data.b
  to = terraform_data.z
}
removed {
  from = terraform_data.q
  lifecycle {
    destroy = false
  }
}
