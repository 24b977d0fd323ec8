module "o" {
  source = "./o"
  k = "x"
}
