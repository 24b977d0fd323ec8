resource "terraform_data" "a" {
  input = "x"
}
locals {
  r = terraform_data.a
}
output "o" {
  value = [local.r.id, local.r.input, local.r.output, local.r.triggers_replace, local.r["input"]]
}
output "p" {
  value = keys(terraform_data.a)
}
output "q" {
  value = [for k, v in terraform_data.a : k]
}
output "r" {
  value = length(terraform_data.a)
}
