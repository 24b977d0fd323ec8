module "m" {
  source = "./m"
  count  = 0
}

resource "terraform_data" "some" {
  count = 1
  input = terraform_data.some
}
