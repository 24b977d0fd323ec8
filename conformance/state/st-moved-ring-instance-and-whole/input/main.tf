resource "terraform_data" "s" {
}
moved {
  from = terraform_data.r[0]
  to = terraform_data.s
}
moved {
  from = terraform_data.r
  to = terraform_data.s
}
