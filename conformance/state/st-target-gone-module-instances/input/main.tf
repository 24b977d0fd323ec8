module "m" {
  source = "./p"
  count  = 1
}
