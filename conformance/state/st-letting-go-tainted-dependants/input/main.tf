resource "terraform_data" "a" {
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.id
}
resource "terraform_data" "c" {
  triggers_replace = terraform_data.b.id
  lifecycle {
    destroy = false
  }
}
