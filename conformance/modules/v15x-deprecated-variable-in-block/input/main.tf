module "m" {
  source = "./m"
  x = {
    a = 1
  }
}
