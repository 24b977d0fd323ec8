module "m" {
  source = "./m"
  providers = [terraform]
}
