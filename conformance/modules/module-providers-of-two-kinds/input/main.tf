module "m" {
  source = "./m"
  providers = { foo = terraform }
}
