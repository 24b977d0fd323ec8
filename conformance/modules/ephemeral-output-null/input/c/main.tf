output "a" {
  value     = null
  ephemeral = true
}
