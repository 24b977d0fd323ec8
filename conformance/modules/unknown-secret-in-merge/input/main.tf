resource "terraform_data" "m" {
  input = { x = "1" }
}
output "o" {
  value = merge(sensitive(terraform_data.m.output), { z = 1 })
}

