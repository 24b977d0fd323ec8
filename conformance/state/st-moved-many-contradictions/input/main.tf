resource "terraform_data" "b" { input = 1 }
moved {
  from = terraform_data.x
  to   = terraform_data.b
}
moved {
  from = terraform_data.y
  to   = terraform_data.b
}
moved {
  from = terraform_data.x
  to   = terraform_data.z
}
