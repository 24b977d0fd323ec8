resource "terraform_data" "z" {
}
module "m" {
  source = "./m"
  i = terraform_data.z.id
}
resource "terraform_data" "r" {
  input = module.m.s
}
