variable "v" {
  default    = 1
  deprecated = "  "
}
output "o" {
  value      = 1
  deprecated = " "
}
