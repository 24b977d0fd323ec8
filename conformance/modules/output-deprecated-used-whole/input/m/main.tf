output "a" {
  value      = "x"
  deprecated = "use b"
}
output "b" { value = "y" }
output "c" {
  value      = { z = 1 }
  deprecated = "use b"
}
