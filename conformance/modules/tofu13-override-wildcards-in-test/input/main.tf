resource "terraform_data" "a" {
  for_each = toset(["x", "z"])
}

module "m" {
  source   = "./m"
  for_each = toset(["k"])
}
