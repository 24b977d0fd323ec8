resource "terraform_data" "a" {
  lifecycle { 
    enabled = "yes"
  }
}
