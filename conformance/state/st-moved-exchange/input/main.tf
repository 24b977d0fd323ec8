resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" { input = 2 }
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.b
  to   = terraform_data.a
}
