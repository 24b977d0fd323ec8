module "m" {
  source = "./${terraform.workspace}"
}
