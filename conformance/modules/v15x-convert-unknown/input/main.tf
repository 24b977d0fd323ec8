resource "terraform_data" "r" {
}
output "a" {
  value = convert({ i = terraform_data.r.id }, object({ i = string, n = optional(number, 4) }))
}
output "b" {
  value = convert([terraform_data.r.id], list(number))
}
output "c" {
  value = convert(terraform_data.r.output, list(string))
}
