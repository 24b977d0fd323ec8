output "x" { value = local.zzz }
output "x" { value = 1 }
locals {
  a = local.b
  b = local.a
}
