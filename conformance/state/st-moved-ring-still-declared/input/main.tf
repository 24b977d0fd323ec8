resource "terraform_data" "a" { input = 1 }
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.b
  to   = terraform_data.c
}
moved {
  from = terraform_data.c
  to   = terraform_data.a
}
