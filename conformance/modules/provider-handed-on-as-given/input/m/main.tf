module "b" {
  source    = "./b"
  providers = { terraform = terraform }
}
