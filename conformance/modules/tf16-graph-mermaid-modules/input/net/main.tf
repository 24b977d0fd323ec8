variable "i" {}
resource "terraform_data" "q" { input = var.i }
resource "terraform_data" "solo" { }
module "sub" {
  source = "./sub"
  i = terraform_data.q.id
}
output "out" { value = module.sub.o }
