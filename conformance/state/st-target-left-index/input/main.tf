resource "terraform_data" "r" {
  for_each = toset(["a", "c"])
}

resource "terraform_data" "u" {
  input = terraform_data.r["c"].id
}

output "r" {
  value = 1
}
