resource "terraform_data" "a" {
  lifecycle { 
    enabled = var.nope
  }
}
