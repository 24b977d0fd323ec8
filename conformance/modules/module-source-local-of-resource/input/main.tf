resource "terraform_data" "a" {
}
locals { 
  x = "./${terraform_data.a.id}"
}
module "c" {
  source = local.x
}
