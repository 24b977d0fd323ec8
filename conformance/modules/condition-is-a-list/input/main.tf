variable "v" { default = true }
resource "terraform_data" "x" {
  lifecycle {
    precondition {
      condition = [var.v]
      error_message = "A."
    }
  }
}
