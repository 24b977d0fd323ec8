output "o" {
 value = true
}
