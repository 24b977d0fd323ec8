module "a" {
  source = "./a"
}
resource "terraform_data" "r" {
  for_each = toset([module.a.old])
  input = each.key
}
