module "a" {
  source = "./a"
}
resource "terraform_data" "r" {
  input = {
    a = module.a.old
    b = module.a.new
  }
}
output "x" {
  value = terraform_data.r.input.a
}
