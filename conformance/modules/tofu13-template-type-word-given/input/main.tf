locals {
  t = "$${convert(x, string)}"
}

output "o" {
  value = templatestring(local.t, { x = 1, string = 2 })
}
