variable "p" { default = true }
resource "terraform_data" "a" {
  lifecycle { 
    destroy = var.p
  }
}
