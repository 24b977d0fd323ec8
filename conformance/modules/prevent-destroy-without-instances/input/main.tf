variable "p" { default = "maybe" }
resource "terraform_data" "a" {
  count = 0
  lifecycle {
    prevent_destroy = var.p
  }
}
