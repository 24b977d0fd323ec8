variable "i" {}
resource "terraform_data" "z" { input = var.i }
output "o" { value = terraform_data.z.id }
