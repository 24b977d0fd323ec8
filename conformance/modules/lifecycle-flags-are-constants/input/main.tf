resource "terraform_data" "a" {
  lifecycle { create_before_destroy = "1" }
}
resource "terraform_data" "b" {
  lifecycle { create_before_destroy = !true }
}
resource "terraform_data" "c" {
  lifecycle { create_before_destroy = "${true}" }
}
