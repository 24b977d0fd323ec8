resource "terraform_data" "x" {}
output "call" { value = templatestring(sha256(terraform_data.x.id), {}) }
