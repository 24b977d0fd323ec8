resource "terraform_data" "r" {
}
output "x" {
  value = terraform_data.r.id == "x" && tonumber("q") == 1
}
