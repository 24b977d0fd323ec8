resource "terraform_data" "x" {}
variable "list" {
  default = ["a", "b-$${v}"]
}
variable "at" {
  default = 1
}
variable "by_name" {
  default = { k = ["t-$${v}"] }
}
output "computed_index" { value = templatestring(var.list[var.at], { v = 1 }) }
output "computed_key" { value = templatestring(var.by_name[substr("kk", 1, 1)][var.at - 1], { v = 1 }) }
output "plain_index" { value = templatestring(var.list[1], { v = 1 }) }
