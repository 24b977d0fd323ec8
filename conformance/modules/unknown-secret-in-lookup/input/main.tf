resource "terraform_data" "m" {
  input = { x = "1" }
}
output "o" {
  value = lookup(sensitive(terraform_data.m.output), "x", "d")
}

