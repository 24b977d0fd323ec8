variable "p" { default = "nope" }
resource "terraform_data" "a" {
  lifecycle { 
    prevent_destroy = var.p
  }
}
