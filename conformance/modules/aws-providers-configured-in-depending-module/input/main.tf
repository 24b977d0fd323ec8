resource "terraform_data" "x" {}
module "m" {
  source = "./m"
  depends_on = [terraform_data.x]
}
