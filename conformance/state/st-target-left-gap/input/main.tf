resource "terraform_data" "r" {
  count = 3
}

output "r" {
  value = length(terraform_data.r)
}

output "ids" {
  value = terraform_data.r[*].id
}
