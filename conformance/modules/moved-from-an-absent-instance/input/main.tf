resource "terraform_data" "a" { count = 2 }
moved {
  from = terraform_data.a[5]
  to = terraform_data.a[0]
}
