locals { a = sensitive("x") }
resource "terraform_data" "x" {
  lifecycle {
    precondition {
      condition = local.a == "x"
      error_message = "a ${local.a}"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition = local.a == "x"
    error_message = "a ${local.a}"
  }
}
check "c" {
  assert {
    condition = local.a == "x"
    error_message = "a ${local.a}"
  }
}
