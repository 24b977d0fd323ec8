locals {
  a = 1
}
output "x" {
  value = 1
}
variable "y" {}
terraform {}
module "z" {}
data "x" "y" {}
