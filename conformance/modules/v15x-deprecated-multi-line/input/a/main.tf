output "old" {
  value = "o"
  deprecated = "Use new."
}
output "new" {
  value = "n"
}
output "num" {
  value = 2
  deprecated = "No numbers."
}
