resource "terraform_data" "r" {
  for_each = toset(["a", "c"])
}

resource "terraform_data" "n" {
  count = 2
}

resource "terraform_data" "one" {}

output "r" {
  value = try(terraform_data.r["c"].id, "none")
}

output "rs" {
  value = keys(terraform_data.r)
}

output "n" {
  value = try(terraform_data.n[1].id, "none")
}

output "ns" {
  value = length(terraform_data.n)
}

output "one" {
  value = try(terraform_data.one.id, "none")
}
