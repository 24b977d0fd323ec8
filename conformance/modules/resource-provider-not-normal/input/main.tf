resource "terraform_data" "a" {
  provider = my_x
}
resource "terraform_data" "b" {
  provider = UP.x
}
