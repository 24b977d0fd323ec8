resource "terraform_data" "check" {
  input = "inside"
}

check "check" {
  assert {
    condition     = terraform_data.check.input == "outside"
    error_message = "The input is inside."
  }
}

output "id" {
  value = terraform_data.check.id
}
