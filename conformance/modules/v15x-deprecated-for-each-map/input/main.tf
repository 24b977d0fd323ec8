module "a" {
  source = "./a"
}
resource "terraform_data" "r" {
  for_each = { a = module.a.old }
  input = each.value
}
