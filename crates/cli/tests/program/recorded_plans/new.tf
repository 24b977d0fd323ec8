variable "size" {
  default = 2
}

resource "terraform_data" "net" {
  input = "10.0.${var.size}.0/24"
}

resource "terraform_data" "node" {
  for_each         = { a = 1, c = 3 }
  input            = "${each.key}-${each.value}"
  triggers_replace = terraform_data.net.input
}

resource "terraform_data" "name" {
  input = "id ${terraform_data.net.id}"
}

output "net" {
  value = "${terraform_data.net.input} "
}
