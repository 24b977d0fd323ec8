output "z" {
  value = local.nope
}
