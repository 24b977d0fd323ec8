resource "terraform_data" "m" {
  input = { x = "1" }
}
output "o" {
  value = try(sensitive(terraform_data.m.output).nope, "d")
}

