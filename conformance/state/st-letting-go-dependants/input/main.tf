resource "terraform_data" "a" {
  triggers_replace = 2
  lifecycle {
    destroy = false
    create_before_destroy = true
  }
}
resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.id
}
resource "terraform_data" "c" {
  triggers_replace = terraform_data.b.id
  lifecycle {
    create_before_destroy = true
  }
}
