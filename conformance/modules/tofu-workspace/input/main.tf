output "w" { value = tofu.workspace }
output "t" { value = terraform.workspace }
