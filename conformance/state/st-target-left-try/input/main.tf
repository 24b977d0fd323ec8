resource "terraform_data" "r" {
  for_each = toset(["a", "c"])
}

resource "terraform_data" "u" {
  input = keys(terraform_data.r)
}

output "r" {
  value = try(terraform_data.r["c"].id, "none")
}
