resource "terraform_data" "n" {
  count = 0
}

resource "terraform_data" "a" {
  input = terraform_data.n[1].output
}

output "o" {
  value = terraform_data.n[0].id
}
