locals { a = 1 }
resource "terraform_data" "x" {
  lifecycle {
    precondition {
      condition = local.a == 2
      error_message = "A ${local.a}."
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition = local.a == 2
    error_message = "A ${local.a}."
  }
}
