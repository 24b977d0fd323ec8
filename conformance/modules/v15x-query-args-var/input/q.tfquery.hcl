variable "n" {
 type = number
}
list "acme_thing" "all" {
  provider = acme
  include_resource = var.n
  limit = var.n
  config {
    filter = "f"
  }
}
