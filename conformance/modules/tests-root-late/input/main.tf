variable "v" {
  default = 1
}
output "o" {
  value = var.v
}
resource "terraform_data" "a" {
  input = var.v
}
check "c" {
  assert {
    condition     = var.v == 1
    error_message = "no"
  }
}
