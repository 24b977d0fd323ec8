resource "terraform_data" "r" {
}
output "x" {
  type = object({ id = string, n = optional(number, 5) })
  value = { id = terraform_data.r.id }
}
output "y" {
  type = number
  value = terraform_data.r.id
}
