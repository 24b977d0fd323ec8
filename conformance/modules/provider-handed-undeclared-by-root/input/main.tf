resource "terraform_data" "first" {}

module "m" {
  source    = "./m"
  providers = { terraform = terraform }
}
