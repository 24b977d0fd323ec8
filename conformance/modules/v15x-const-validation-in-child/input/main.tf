module "o" {
  source = "./o"
}
