variable "a" {
  default = 1
}
output "o" { value = upper(1,2) }
output "p" { value = local.x }
resource "terraform_data" "a" {
  inpt = local.y
  triggers_replace = upper(1,2)
}
resource "terraform_data" "c" {
  inpt = 1
  triggers_replace = upper(1,2)
}
resource "terraform_data" "b" {
  count = local.z
  input = local.w
  lifecycle {
    precondition {
      condition = local.v
      error_message = local.u
    }
  }
}
