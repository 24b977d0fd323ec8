module "m" {
  source = "./m"
  w = 1
}
output "x" { value = local.zzz }
resource "terraform_data" "c" {
  inpt = 1
}
