resource "terraform_data" "x" {}
output "one" { value = formatlist("%s", toset([terraform_data.x.id])) }
output "length" { value = length(formatlist("a-%s", toset([terraform_data.x.id]))) }
output "two" { value = formatlist("%s", toset([terraform_data.x.id, "a"])) }
output "beside" { value = formatlist("%s-%s", toset([terraform_data.x.id]), ["x"]) }
