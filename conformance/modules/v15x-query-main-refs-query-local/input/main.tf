output "o" {
  value = local.a
}
