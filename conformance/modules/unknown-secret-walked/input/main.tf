resource "terraform_data" "m" {
  input = { x = "1" }
}
output "o" {
  value = [for k in sensitive(terraform_data.m.output) : k]
}

