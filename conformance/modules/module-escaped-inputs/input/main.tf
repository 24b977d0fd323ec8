module "m" {
  source = "./m"
  _ { a = 1 }
}
