resource "terraform_data" "r" {
}
output "a" {
  value = convert(terraform_data.r.id, list(string))
}
