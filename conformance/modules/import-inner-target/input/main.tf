module "m" {
  source = "./m"
}
resource "terraform_data" "o" {}
