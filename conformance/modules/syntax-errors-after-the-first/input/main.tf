locals {
  a: 1
}
locals {
  b =
}
locals {
  c = 1 d = 2
}
locals {
  e = 1 @ 2
}
locals {
  f = 1
  f = 2
}
