module "c" {
  source = "./c"
  o      = { a = "x", b = 1 }
  l      = [{ a = "x", c = 2 }]
  m      = { k = { a = "x", n = { z = 1, y = 2 } } }
}
