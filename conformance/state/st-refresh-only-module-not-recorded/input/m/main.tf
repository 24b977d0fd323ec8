resource "terraform_data" "r" {
  for_each = toset(["a"])
}

resource "terraform_data" "s" {}

output "o" {
  value = try(terraform_data.r["a"].id, "none")
}

output "s" {
  value = terraform_data.s.id
}
