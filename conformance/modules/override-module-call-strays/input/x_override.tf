module "m" {
  v     = 2
  other = 3
}
