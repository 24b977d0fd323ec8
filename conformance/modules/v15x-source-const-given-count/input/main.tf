module "o" {
  source = "./o"
  count = 2
  k = "x${count.index}"
}
