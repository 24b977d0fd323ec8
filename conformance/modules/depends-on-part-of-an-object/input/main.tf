resource "terraform_data" "here" { }
output "a" {
  value = 1
  depends_on = [terraform_data.here.id]
}
