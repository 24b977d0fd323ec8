resource "terraform_data" "x" {
  input = { a = "1", n = 2 }
}
output "fails" { value = try(terraform_data.x.output[0], "other") }
output "no_such" { value = try(terraform_data.x.output["zz"], "other") }
output "type" { value = try(toset(terraform_data.x.output["a"]), "other") }
output "known_name" { value = terraform_data.x.output["n"] }
